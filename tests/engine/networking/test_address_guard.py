from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.errors import AddressRefused
from apps.engine.networking.address_guard import AddressGuard

PUBLIC = [
    "8.8.8.8",
    "93.184.216.34",
    "1.1.1.1",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.0.1",
    "172.32.0.1",
    "168.63.129.17",
    "192.0.1.1",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450:4001::200e",
    "64:ff9b::808:808",
    "::ffff:8.8.8.8",
    "2002:808:808::1",
]
REFUSED = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.255",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::1",
    "2002:c0a8:101::",
    "2001:0:7f00:1::1",
    "2001::1",
    "2001:db8::1",
    "100::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "[::1]",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_it_lets_public_addresses_pass(address):
    AddressGuard().check(address)


@pytest.mark.parametrize("address", REFUSED)
def test_it_refuses_what_is_not_public(address):
    with pytest.raises(AddressRefused):
        AddressGuard().check(address)


@pytest.mark.parametrize("text", ["", "localhost", "127.1", "0x7f000001", "1.2.3.4.5", "::g"])
def test_it_refuses_what_is_no_address(text):
    with pytest.raises(AddressRefused):
        AddressGuard().check(text)


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_every_translated_form_is_refused_with_its_address(address):
    forms = [
        f"::ffff:{address}",
        f"64:ff9b::{address}",
        f"::ffff:0:{address}",
        str(IPv6Address((0x2002 << 112) | (int(address) << 80) | 1)),
    ]
    expected = _refused(str(address))
    assert [_refused(form) for form in forms] == [expected] * 4


def _refused(address: str) -> bool:
    try:
        AddressGuard().check(address)
    except AddressRefused:
        return True
    return False


def test_what_is_allowed_is_exempt_and_nothing_else():
    guard = AddressGuard(["127.0.0.1/32", " 10.1.0.0/16 ", "fd00::/64"])
    for address in ("127.0.0.1", "::ffff:127.0.0.1", "10.1.2.3", "fd00::5"):
        guard.check(address)
    for address in ("127.0.0.2", "10.2.0.1", "fd00:1::5", "::1"):
        with pytest.raises(AddressRefused):
            guard.check(address)


def test_an_allowed_network_may_be_named_by_any_of_its_addresses():
    guard = AddressGuard(["10.1.2.3/16", "fd00::7/64"])
    for address in ("10.1.0.0", "10.1.255.255", "fd00::1"):
        guard.check(address)
    with pytest.raises(AddressRefused):
        guard.check("10.2.0.0")


def test_ipv4_that_is_allowed_exempts_no_address_of_ipv6_that_only_looks_like_it():
    guard = AddressGuard(["0.0.0.0/0"])
    guard.check("64:ff9b::7f00:1")
    for address in ("::", "::1", "::2", "::7f00:1", "::8.8.8.8"):
        with pytest.raises(AddressRefused):
            guard.check(address)


def test_a_long_text_that_is_no_address_is_not_repeated_at_length():
    with pytest.raises(AddressRefused) as refused:
        AddressGuard().check("x" * 100_000)
    assert str(refused.value) == "x" * 60 + " is not an IP address"


def test_a_wrong_network_is_reported_at_once():
    with pytest.raises(ValueError, match="nonsense"):
        AddressGuard(["nonsense"])


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://example.org/", None),
        ("http://example.org:8080/x", None),
        ("http://local.example.org/", None),
        ("http://93.184.216.34/", None),
        ("http://xn--bcher-kva.example/", None),
        ("http://intranet/", "private_name"),
        ("http://localhost:8000/", "private_name"),
        ("http://metadata.google.internal/", "private_name"),
        ("http://printer.local/", "private_name"),
        ("http://nas.lan/", "private_name"),
        ("http://abcdef.onion/", "private_name"),
        ("http://router.home.arpa/", "private_name"),
        ("http://127.0.0.1/", "private_address"),
        ("http://[::1]/", "private_address"),
        ("http://[64:ff9b::7f00:1]/", "private_address"),
        ("http://169.254.169.254/latest", "private_address"),
        ("http://example.org:0/", "port_zero"),
        (f"http://{'x' * 64}.org/", "long_name"),
        (f"http://{'x' * 63}.org/", None),
        (f"http://{'a.' * 130}org/", "long_name"),
    ],
)
def test_a_url_is_refused_by_its_host_and_port_before_any_name_server_is_asked(url, reason):
    assert AddressGuard().refusal(url) == reason


def test_where_a_private_network_is_allowed_its_names_pass():
    guard = AddressGuard(["10.0.0.0/8"])
    assert guard.refusal("http://wiki.lan/") is None
    assert guard.refusal("http://10.1.2.3/") is None
    assert guard.refusal("http://192.168.1.1/") == "private_address"
