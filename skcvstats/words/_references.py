"""The publications that reports cite."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b


@dataclass(frozen=True)
class Reference:
    """A publication."""

    kind: str
    author: str
    title: str
    year: int
    where: dict[str, str]

    def __str__(self) -> str:
        names = [" ".join(reversed(author.split(", "))) for author in self.author.split(" and ")]
        last = f" and {names[-1]}" if len(names) > 1 else ""
        authors = ", ".join(names[:-1] or names) + last
        authors = authors.replace(" and others", " et al.")
        doi = f" doi:{self.where['doi']}." if "doi" in self.where else ""
        left, right = "\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"
        return f"{authors}, {left}{self.title}{right}, {self._where()}, {self.year}.{doi}"

    def _where(self) -> str:
        where = self.where
        if "type" in where:
            return f"{where['type']} {where['number']}, {where['institution']}"
        place = next(where[k] for k in ("journal", "booktitle", "publisher") if k in where)
        volume = f" {where['volume']}" if "volume" in where else ""
        pages = f", {where['pages'].replace('--', _DASH)}" if "pages" in where else ""
        return f"{place}{volume}{pages}"

    def bibtex(self, key: str) -> str:
        """Write the entry of a BibTeX file."""
        fields = {"author": self.author, "title": f"{{{self.title}}}", **self.where}
        lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items()]
        return f"@{self.kind}{{{key},\n{''.join(lines)}  year = {{{self.year}}},\n}}\n"


@dataclass(frozen=True)
class OwnReference:
    """A publication in the words of a procedure's author."""

    text: str

    def __str__(self) -> str:
        return self.text

    def bibtex(self, key: str) -> str:
        """Write the entry of a BibTeX file."""
        text = "".join(f"\\{sign}" if sign in "&%$#_" else sign for sign in self.text)
        return f"@misc{{{key},\n  note = {{{text}}},\n}}\n"


def _article(author: str, title: str, year: int, *where: str, doi: str = "") -> Reference:
    """Return an article in a journal, with its volume and pages."""
    fields = dict(zip(("journal", "volume", "pages"), where, strict=True))
    return Reference("article", author, title, year, fields | ({"doi": doi} if doi else {}))


_DASH = "\N{EN DASH}"
_NEURAL = "Neural Computation"
_GENERALIZATION = "Inference for the Generalization Error"

REFERENCES = {
    "nadeau1999": Reference(
        "techreport",
        "Nadeau, Claude and Bengio, Yoshua",
        _GENERALIZATION,
        1999,
        {"type": "Technical Report", "number": "99s-25", "institution": "CIRANO"},
    ),
    "nadeau2000": Reference(
        "inproceedings",
        "Nadeau, Claude and Bengio, Yoshua",
        _GENERALIZATION,
        2000,
        {
            "booktitle": "Advances in Neural Information Processing Systems 12",
            "pages": "307--313",
            "publisher": "MIT Press",
        },
    ),
    "nadeau2003": _article(
        "Nadeau, Claude and Bengio, Yoshua",
        _GENERALIZATION,
        2003,
        "Machine Learning",
        "52",
        "239--281",
        doi="10.1023/A:1024068626366",
    ),
    "bouckaert2004": Reference(
        "inproceedings",
        "Bouckaert, Remco R. and Frank, Eibe",
        "Evaluating the Replicability of Significance Tests for Comparing Learning Algorithms",
        2004,
        {
            "booktitle": "Advances in Knowledge Discovery and Data Mining (PAKDD)",
            "pages": "3--12",
            "publisher": "Springer",
            "doi": "10.1007/978-3-540-24775-3_3",
        },
    ),
    "dietterich1998": _article(
        "Dietterich, Thomas G.",
        "Approximate Statistical Tests for Comparing Supervised Classification Learning Algorithms",
        1998,
        _NEURAL,
        "10",
        "1895--1923",
        doi="10.1162/089976698300017197",
    ),
    "mitchell1997": Reference(
        "book", "Mitchell, Tom M.", "Machine Learning", 1997, {"publisher": "McGraw-Hill"}
    ),
    "holm1979": _article(
        "Holm, Sture",
        "A Simple Sequentially Rejective Multiple Test Procedure",
        1979,
        "Scandinavian Journal of Statistics",
        "6",
        "65--70",
    ),
    "hochberg1988": _article(
        "Hochberg, Yosef",
        "A Sharper Bonferroni Procedure for Multiple Tests of Significance",
        1988,
        "Biometrika",
        "75",
        "800--802",
        doi="10.1093/biomet/75.4.800",
    ),
    "dunn1961": _article(
        "Dunn, Olive Jean",
        "Multiple Comparisons among Means",
        1961,
        "Journal of the American Statistical Association",
        "56",
        "52--64",
        doi="10.1080/01621459.1961.10482090",
    ),
    "benjamini1995": _article(
        "Benjamini, Yoav and Hochberg, Yosef",
        "Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple "
        "Testing",
        1995,
        "Journal of the Royal Statistical Society, Series B",
        "57",
        "289--300",
        doi="10.1111/j.2517-6161.1995.tb02031.x",
    ),
    "benjamini2001": _article(
        "Benjamini, Yoav and Yekutieli, Daniel",
        "The Control of the False Discovery Rate in Multiple Testing under Dependency",
        2001,
        "The Annals of Statistics",
        "29",
        "1165--1188",
        doi="10.1214/aos/1013699998",
    ),
    "alpaydin1999": _article(
        "Alpaydin, Ethem",
        "Combined 5 x 2 cv F Test for Comparing Supervised Classification Learning Algorithms",
        1999,
        _NEURAL,
        "11",
        "1885--1892",
        doi="10.1162/089976699300016007",
    ),
    "hothorn2008": _article(
        "Hothorn, Torsten and Bretz, Frank and Westfall, Peter",
        "Simultaneous Inference in General Parametric Models",
        2008,
        "Biometrical Journal",
        "50",
        "346--363",
        doi="10.1002/bimj.200810425",
    ),
    "gupta1965": _article(
        "Gupta, Shanti S.",
        "On Some Multiple Decision (Selection and Ranking) Rules",
        1965,
        "Technometrics",
        "7",
        "225--245",
        doi="10.1080/00401706.1965.10490251",
    ),
    "hsu1984": _article(
        "Hsu, Jason C.",
        "Constrained Simultaneous Confidence Intervals for Multiple Comparisons with the Best",
        1984,
        "The Annals of Statistics",
        "12",
        "1136--1144",
        doi="10.1214/aos/1176346732",
    ),
    "piepho2004": _article(
        "Piepho, Hans-Peter",
        "An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons",
        2004,
        "Journal of Computational and Graphical Statistics",
        "13",
        "456--466",
        doi="10.1198/1061860043515",
    ),
    "schuirmann1987": _article(
        "Schuirmann, Donald J.",
        "A Comparison of the Two One-Sided Tests Procedure and the Power Approach for Assessing "
        "the Equivalence of Average Bioavailability",
        1987,
        "Journal of Pharmacokinetics and Biopharmaceutics",
        "15",
        "657--680",
        doi="10.1007/BF01068419",
    ),
    "goeman2010": _article(
        "Goeman, Jelle J. and Solari, Aldo and Stijnen, Theo",
        "Three-Sided Hypothesis Testing: Simultaneous Testing of Superiority, Equivalence and "
        "Inferiority",
        2010,
        "Statistics in Medicine",
        "29",
        "2117--2125",
        doi="10.1002/sim.4002",
    ),
    "corani2015": _article(
        "Corani, Giorgio and Benavoli, Alessio",
        "A Bayesian Approach for Comparing Cross-Validated Algorithms on Multiple Data Sets",
        2015,
        "Machine Learning",
        "100",
        "285--304",
        doi="10.1007/s10994-015-5486-z",
    ),
    "pedregosa2011": _article(
        "Pedregosa, Fabian and others",
        "Scikit-learn: Machine Learning in Python",
        2011,
        "Journal of Machine Learning Research",
        "12",
        "2825--2830",
    ),
    "cameron2015": _article(
        "Cameron, A. Colin and Miller, Douglas L.",
        "A Practitioner's Guide to Cluster-Robust Inference",
        2015,
        "Journal of Human Resources",
        "50",
        "317--372",
        doi="10.3368/jhr.50.2.317",
    ),
    "delong1988": _article(
        "DeLong, Elizabeth R. and DeLong, David M. and Clarke-Pearson, Daniel L.",
        "Comparing the Areas under Two or More Correlated Receiver Operating Characteristic "
        "Curves: A Nonparametric Approach",
        1988,
        "Biometrics",
        "44",
        "837--845",
        doi="10.2307/2531595",
    ),
    "obuchowski1997": _article(
        "Obuchowski, Nancy A.",
        "Nonparametric Analysis of Clustered ROC Curve Data",
        1997,
        "Biometrics",
        "53",
        "567--578",
        doi="10.2307/2533958",
    ),
    "mcnemar1947": _article(
        "McNemar, Quinn",
        "Note on the Sampling Error of the Difference between Correlated Proportions or "
        "Percentages",
        1947,
        "Psychometrika",
        "12",
        "153--157",
        doi="10.1007/BF02295996",
    ),
    "tango1998": _article(
        "Tango, Toshiro",
        "Equivalence Test and Confidence Interval for the Difference in Proportions for the "
        "Paired-Sample Design",
        1998,
        "Statistics in Medicine",
        "17",
        "891--908",
    ),
    "efron1987": _article(
        "Efron, Bradley",
        "Better Bootstrap Confidence Intervals",
        1987,
        "Journal of the American Statistical Association",
        "82",
        "171--185",
        doi="10.1080/01621459.1987.10478410",
    ),
}


def bibliography(sources: Iterable[str]) -> dict[str, Reference | OwnReference]:
    """Return publications by key."""
    return {key_of(source): REFERENCES.get(source) or OwnReference(source) for source in sources}


def key_of(source: str) -> str:
    """Return the key that a report uses to cite a source."""
    if source in REFERENCES:
        return source
    return f"source{blake2b(source.encode(), digest_size=4).hexdigest()}"
