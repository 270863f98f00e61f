"""A connection to a server on this machine that can be cut and restored."""

import socket
import threading
from contextlib import suppress


class Wire:
    """Forwards connections; `cut` closes them and refuses new ones, until `mend`."""

    def __init__(self, port):
        self._target = port
        self._ends = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"
        self._listen()

    def cut(self):
        for end in [self._listener, *self._ends]:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def mend(self):
        self._listener = socket.create_server(("127.0.0.1", self._port))
        self._listen()

    def _listen(self):
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def _accept(self, listener):
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                self._ends += [client, server]
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=_pass_on, args=pair, daemon=True).start()


def _pass_on(source, target):
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
