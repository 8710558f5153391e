"""The printed intervals of the report's tables 2, 3 and 4, and how each was simulated.

The numbers are the report's (CIRANO 99s-25,
                        1999): nominal 95 % intervals from 1000 data sets. A row
has one interval for each simulation. Slips of the print: table 4 calls its last rows T, they are r.
"""

from dataclasses import dataclass
from decimal import Decimal

from .designs import EVEN, HALF_SAMPLE, THROWN_AWAY, USUAL, Sizes

N_DATA_SETS = 1000
N_SPLITS = 25  # for the mean and the correlation
N_PAIRS, N_SPLITS_OF_PAIRS = 20, 15  # for r


@dataclass(frozen=True)
class Quantity:
    """What an interval is about.

    Parameters
    ----------
    kind : {"mean", "correlation", "r"}
        The expected error at the training size; the correlation of two splits' errors; the
        correlation of the squared differences of two pairs of half-samples.
    sizes : Sizes
        Of the splits that it is estimated from; r's lie inside half-samples.
    hypothesis : {"A", "B", "A-B"}
    """

    kind: str
    sizes: Sizes
    hypothesis: str


@dataclass(frozen=True)
class PrintedInterval:
    """One interval as printed.

    Parameters
    ----------
    table, simulation : int
    quantity : Quantity
    low, high : float
    rounding : float
        Half a unit of the last printed digit: the ends are known no better.
    """

    table: int
    simulation: int
    quantity: Quantity
    low: float
    high: float
    rounding: float

    def overlaps(self, low, high):
        """Say whether an interval meets this one, its ends widened by their rounding.

        Parameters
        ----------
        low, high : float
        """
        return low <= self.high + self.rounding and high >= self.low - self.rounding


_KINDS = {
    "mean n/2": ("mean", EVEN),
    "mean 9n/10": ("mean", USUAL),
    "rho n/2, n/2": ("correlation", EVEN),
    "rho n/2, n/10": ("correlation", THROWN_AWAY),
    "rho 9n/10, n/10": ("correlation", USUAL),
    "r": ("r", HALF_SAMPLE),
}

# Kind | hypothesis | low,high of each simulation, or of all of them.
TABLE_2 = """
mean n/2        | A   | 98.77,100.03 72.30,73.25 9.961,10.002 9.040,9.075
mean n/2        | B   | 98.69,99.96 64.89,65.73 9.961,10.002 8.999,9.034
mean n/2        | A-B | -0.03,0.19 7.25,7.68 -0.001,0.001 0.039,0.043
mean 9n/10      | A   | 98.19,99.64 71.92,72.99 9.952,9.998 9.026,9.067
mean 9n/10      | B   | 97.71,99.16 64.30,65.24 9.948,9.993 8.982,9.023
mean 9n/10      | A-B | 0.36,0.60 7.45,7.93 0.003,0.006 0.042,0.047
rho n/2, n/2    | A   | 0.466,0.512 0.487,0.531 0.484,0.531 0.471,0.515
rho n/2, n/2    | B   | 0.467,0.514 0.473,0.517 0.483,0.530 0.472,0.517
rho n/2, n/2    | A-B | 0.225,0.298 0.426,0.482 0.226,0.282 0.399,0.455
rho n/2, n/10   | A   | 0.148,0.179 0.165,0.193 0.162,0.194 0.147,0.176
rho n/2, n/10   | B   | 0.152,0.183 0.156,0.183 0.162,0.194 0.147,0.175
rho n/2, n/10   | A-B | 0.103,0.143 0.146,0.184 0.089,0.128 0.131,0.165
rho 9n/10, n/10 | A   | 0.090,0.115 0.094,0.117 0.090,0.111 0.088,0.108
rho 9n/10, n/10 | B   | 0.092,0.117 0.089,0.111 0.090,0.111 0.088,0.108
rho 9n/10, n/10 | A-B | 0.062,0.091 0.084,0.109 0.059,0.085 0.086,0.109
r               | A   | 0.021,0.034 0.027,0.040 -0.003,0.008 -0.001,0.008
r               | B   | 0.022,0.034 0.028,0.043 -0.003,0.008 -0.001,0.009
r               | A-B | 0.154,0.203 0.071,0.095 0.163,0.202 0.087,0.114
"""

TABLE_3 = """
mean n/2        | A   | 0.249,0.253 0.146,0.149 0.247,0.248 0.142,0.143
mean n/2        | B   | 0.204,0.208 0.146,0.148 0.200,0.201 0.142,0.143
mean n/2        | A-B | 0.044,0.046 -0.001,0.002 0.0467,0.0475 -0.0001,0.0008
mean 9n/10      | A   | 0.247,0.252 0.142,0.147 0.235,0.237 0.132,0.133
mean 9n/10      | B   | 0.201,0.205 0.142,0.145 0.199,0.200 0.142,0.143
mean 9n/10      | A-B | 0.044,0.049 -0.001,0.003 0.036,0.037 -0.011,-0.009
rho n/2, n/2    | A   | 0.345,0.392 0.392,0.438 0.354,0.400 0.380,0.423
rho n/2, n/2    | B   | 0.418,0.469 0.369,0.417 0.462,0.508 0.388,0.432
rho n/2, n/2    | A-B | 0.128,0.154 0.174,0.205 0.120,0.146 0.179,0.211
rho n/2, n/10   | A   | 0.189,0.223 0.224,0.260 0.190,0.225 0.207,0.242
rho n/2, n/10   | B   | 0.150,0.182 0.135,0.163 0.141,0.170 0.129,0.156
rho n/2, n/10   | A-B | 0.100,0.124 0.130,0.157 0.087,0.106 0.112,0.138
rho 9n/10, n/10 | A   | 0.137,0.166 0.156,0.187 0.113,0.137 0.126,0.153
rho 9n/10, n/10 | B   | 0.089,0.112 0.077,0.097 0.080,0.102 0.081,0.100
rho 9n/10, n/10 | A-B | 0.077,0.096 0.090,0.111 0.049,0.065 0.078,0.100
r               | A   | 0.007,0.018 0.025,0.039 -0.005,0.003 -0.003,0.006
r               | B   | 0.006,0.017 0.023,0.037 -0.003,0.007 -0.003,0.006
r               | A-B | 0.010,0.021 0.007,0.017 -0.003,0.006 -0.001,0.009
"""

TABLE_4 = """
mean n/2        | A   | 0.6911,0.6942
mean n/2        | B   | 0.5395,0.5427 0.5932,0.5965 0.6320,0.6353
                        0.6665,0.6697 0.6903,0.6936 0.7796,0.7824
mean n/2        | A-B | 0.1501,0.1529 0.0963,0.0992 0.0574,0.0604
                        0.0230,0.0260 -0.0009,0.0022 -0.0899,-0.0868
mean 9n/10      | A   | 0.5853,0.5897
mean 9n/10      | B   | 0.4343,0.4388 0.4967,0.5012 0.5437,0.5483
                        0.5862,0.5908 0.6159,0.6205 0.7303,0.7344
mean 9n/10      | A-B | 0.1486,0.1533 0.0861,0.0910 0.0391,0.0440
                        -0.0034,0.0014 -0.0332,-0.0282 -0.1473,-0.1423
rho n/2, n/2    | A   | 0.2231,0.2592
rho n/2, n/2    | B   | 0.3103,0.3549 0.3336,0.3761 0.3495,0.3926
                        0.3597,0.4044 0.3679,0.4135 0.3474,0.3916
rho n/2, n/2    | A-B | 0.1336,0.1605 0.1517,0.1801 0.1604,0.1906
                        0.1671,0.1982 0.1700,0.2020 0.1779,0.2112
rho n/2, n/10   | A   | 0.1369,0.1645
rho n/2, n/10   | B   | 0.1672,0.1984 0.1822,0.2145 0.1966,0.2318
                        0.2005,0.2382 0.2006,0.2385 0.2014,0.2371
rho n/2, n/10   | A-B | 0.1222,0.1481 0.1291,0.1555 0.1300,0.1562
                        0.1305,0.1564 0.1295,0.1554 0.1334,0.1617
rho 9n/10, n/10 | A   | 0.0988,0.1230
rho 9n/10, n/10 | B   | 0.1046,0.1290 0.1064,0.1310 0.1153,0.1401
                        0.1184,0.1427 0.1250,0.1509 0.1196,0.1448
rho 9n/10, n/10 | A-B | 0.0849,0.1055 0.0849,0.1055 0.0836,0.1038
                        0.0848,0.1056 0.0875,0.1085 0.0936,0.1160
r               | A   | 0.0022,0.0128
r               | B   | -0.0065,0.0012 -0.0044,0.0044 -0.0037,0.0055
                        -0.0044,0.0042 -0.0047,0.0041 0.0022,0.0124
r               | A-B | -0.0047,0.0041 -0.0043,0.0043 -0.0035,0.0053
                        -0.0024,0.0066 -0.0007,0.0092 -0.0005,0.0095
"""

_TABLES = {2: (TABLE_2, 4), 3: (TABLE_3, 4), 4: (TABLE_4, 6)}


def printed_intervals():
    """Return the 252 printed intervals."""
    return [
        interval
        for table, (text, n_simulations) in _TABLES.items()
        for row in text.strip().replace("\n ", " ").splitlines()
        for interval in _row(table, n_simulations, *(part.strip() for part in row.split("|")))
    ]


def distinct_intervals():
    """Return the 222 of them that are not the same simulation printed again.

    Table 4's learner A does not depend on the weight, and the same data sets and splits served
    every weight; its rows stand in simulation 1.
    """
    return [
        interval
        for interval in printed_intervals()
        if not (interval.table == 4 and interval.simulation > 1)
        or interval.quantity.hypothesis != "A"
    ]


def _row(table, n_simulations, kind, hypothesis, numbers):
    quantity = Quantity(*_KINDS[kind], hypothesis)
    pairs = [pair.split(",") for pair in numbers.split()]
    if len(pairs) == 1:
        pairs *= n_simulations
    if len(pairs) != n_simulations:
        raise ValueError(f"Table {table}, {kind}, {hypothesis}: {len(pairs)} intervals.")
    for simulation, ends in enumerate(pairs, start=1):
        # The printed digits, trailing zeros too, are what is known.
        digits = min(Decimal(end).as_tuple().exponent for end in ends)
        low, high = map(float, ends)
        yield PrintedInterval(table, simulation, quantity, low, high, 0.5 * 10.0**digits)
