"""A client of the app."""

from concurrent.futures import CancelledError

import pytest


@pytest.fixture(scope="module")
def client(url):
    from gradio_client import Client

    class Repeating(Client):
        """Sends a call once more that the client itself has cancelled.

        It does so where a call is sent just as its stream of replies ends, because none was pending.
        """

        def predict(self, *arguments, **named):
            try:
                return super().predict(*arguments, **named)
            except CancelledError:
                return super().predict(*arguments, **named)

    client = Repeating(url, verbose=False)
    yield client
    client.close()
