"""A protocol for Dask: TCP that counts what this process writes. Importing it registers it."""

from distributed.comm import tcp
from distributed.comm.registry import backends

PROTOCOL = "counted"
_n_written = 0


class _Counted(tcp.TCP):
    async def write(self, *arguments, **options):
        global _n_written
        n_bytes = await super().write(*arguments, **options)
        _n_written += n_bytes
        return n_bytes


class _Connector(tcp.TCPConnector):
    prefix, comm_class = f"{PROTOCOL}://", _Counted


class _Listener(tcp.TCPListener):
    prefix, comm_class = f"{PROTOCOL}://", _Counted


class _Backend(tcp.TCPBackend):
    def get_connector(self):
        return _Connector()

    def get_listener(self, *arguments, **options):
        return _Listener(*arguments, **options)


backends[PROTOCOL] = _Backend()


def written():
    """Return the bytes that this process has written."""
    return _n_written
