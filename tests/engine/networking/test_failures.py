from __future__ import annotations

import ssl

import httpx
import pytest

from apps.engine.networking.failures import kind_of


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (10, "the certificate has expired"),
        (18, "the certificate is signed by the host itself"),
        (62, "the certificate is for another name"),
        (999, "unheard of"),
    ],
)
def test_a_bad_certificate_is_a_kind_of_its_own_with_its_flaw_in_words(code, words):
    """biolds/sosse#4, simplecrawler/simplecrawler#97"""
    flaw = ssl.SSLCertVerificationError("certificate verify failed")
    flaw.verify_code, flaw.verify_message = code, "unheard of"
    error = httpx.ConnectError("no")
    error.__cause__ = flaw
    assert kind_of(error) == ("certificate", words)


def test_another_fault_of_the_secure_connection_is_none_of_the_certificate():
    assert kind_of(ssl.SSLError(1, "wrong version number"))[0] == "tls"
