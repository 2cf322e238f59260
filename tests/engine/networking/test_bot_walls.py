from __future__ import annotations

import pytest

from apps.engine.answers import Answer
from apps.engine.networking.bot_walls import is_wall


def page(status: int, body: bytes, *headers: tuple[str, str]) -> Answer:
    failure = None if status < 300 else f"http_{status}"
    return Answer("http://h.test/", "http://h.test/", status, headers, body, failure=failure)


ARTICLE = b"<title>How captchas work</title><p>A captcha is a challenge." + b"words " * 2_000
FORM = b"<title>Write to us</title><script src='https://www.google.com/recaptcha/api.js'></script>"


@pytest.mark.parametrize(
    "blocked",
    [
        page(403, b"<title>Just a moment...</title>", ("cf-mitigated", "challenge")),
        page(403, b"<title>Attention Required! | Cloudflare</title>"),
        page(429, b"<script>window._cf_chl_opt={}</script>"),
        page(403, b"<script src='https://geo.captcha-delivery.com/c.js'></script>"),
        page(403, b"<div id='px-captcha'></div>"),
        page(405, b"<title>Human Verification</title><script>AwsWafIntegration</script>"),
        page(200, b"<title>Robot Check</title><p>Type the characters of this captcha</p>"),
        page(200, b"<TITLE>\n Pardon Our Interruption</TITLE><p>Verify that you are human"),
        page(200, b"<iframe src='/_Incapsula_Resource?x=1'></iframe>"),
        page(200, b"<title>Are you a robot?</title>please complete the CAPTCHA"),
        page(202, b"<script>AwsWafIntegration</script>", ("x-amzn-waf-action", "challenge")),
    ],
)
def test_it_knows_pages_that_keep_crawlers_out(blocked):
    assert is_wall(blocked)


@pytest.mark.parametrize(
    "open_page",
    [
        page(200, b"<p>hello"),
        page(200, ARTICLE),
        page(200, FORM),
        page(200, b"<title>Security check lists for bakers</title>" + b"<p>flour " * 50),
        page(200, b"x" * 9_000 + b"/cdn-cgi/challenge-platform/ is a path"),
        page(403, b"<title>Forbidden</title>"),
        page(429, b""),
        page(404, b"<title>Just a moment...</title>"),
        Answer("http://h.test/", "http://h.test/", failure="dns"),
    ],
)
def test_it_leaves_other_pages_alone(open_page):
    assert not is_wall(open_page)


CHALLENGE = b"<script src=/cdn-cgi/challenge-platform/x.js></script>"


@pytest.mark.parametrize("status", [403, 405, 429, 503])
def test_a_refusal_with_a_challenge_is_a_block_and_a_plain_one_is_not(status):
    assert is_wall(page(status, CHALLENGE))
    assert not is_wall(page(status, b"<p>Closed today."))


@pytest.mark.parametrize("status", [199, 300, 404, 500, 504])
def test_a_challenge_under_any_other_status_is_none(status):
    assert not is_wall(page(status, CHALLENGE))


def test_an_ordinary_header_makes_no_block_of_an_error():
    failed = Answer(
        "http://h.test/",
        "http://h.test/",
        500,
        (("Server", "nginx"),),
        b"<p>Oops",
        failure="http_500",
    )
    assert not is_wall(failed)


ANUBIS = (
    b"<title>Making sure you&#39;re not a bot!</title><meta name=robots content='noindex'>"
    b"<script id='anubis_version' type='application/json'>\"v1.26\"</script>"
    b"<script src='/.within.website/x/cmd/anubis/static/js/main.mjs'></script>"
    b"<p>Protected by <a href='https://anubis.example'>Anubis</a>, made by <a href='#'>us</a>"
)


@pytest.mark.parametrize(
    "wall",
    [
        # SiteGround (colophon-group/jobseek#5835): at once to the challenge, then its puzzle.
        page(
            202,
            b"<title></title><meta http-equiv='refresh' content='0;/.well-known/sgcaptcha/?r=%2F'>",
        ),
        page(
            202, b"<title>Robot Challenge Screen</title><script>const sgchallenge='20:1'</script>"
        ),
        # LiteSpeed (FlareSolverr/FlareSolverrSharp#20)
        page(
            200,
            b"<title>Bot Verification</title><form id='lsrecaptcha-form' method='POST'"
            b" action='/.lsrecap/recaptcha?'></form>",
        ),
        # Anubis (TecharoHQ/anubis#34, #1781)
        page(200, ANUBIS),
        # go-away: no script, a refresh to its challenge address
        page(
            200,
            b"<title>Checking</title><meta name=robots content=noindex><meta http-equiv=refresh"
            b" content='0; url=/.well-known/.git.example/go-away/cmd/challenge/verify?x=1'>",
        ),
        # Imunify360: the browser posts a number, then loads the address again
        page(
            200,
            b"<title>One moment, please...</title><p>Please wait while your request is being"
            b" verified...</p><form><input type='hidden' name='wsidchk'></form>",
        ),
        # Fastly
        page(
            200,
            b"<title>Client Challenge</title><script src='/_fs-ch-1T1wms/script.js'></script>"
            b"<noscript>JavaScript is disabled in your browser.</noscript>",
        ),
        # A cookie set by script before the same address is loaded again, without any word
        page(
            200,
            b"<script>document.cookie='humans_21909=1'; document.location.reload(true)</script>",
        ),
        page(
            200,
            b"<script src='/aes.js'></script><script>function toNumbers(d){}document.cookie="
            b"'__test='+slowAES.decrypt(toNumbers('a'));location.href='/?i=1'</script>",
        ),
        # A product that nobody has named yet, in another language
        page(
            200,
            b"<title>\xd0\x9f\xd1\x80\xd0\xbe\xd0\xb2\xd0\xb5\xd1\x80\xd0\xba\xd0\xb0</title>"
            b"<meta name=robots content='noindex'><script src='/_shield/challenge.js'></script>",
        ),
    ],
)
def test_it_knows_walls_by_how_they_are_built(wall):
    assert is_wall(wall)


@pytest.mark.parametrize(
    "open_page",
    [
        page(200, b"<title>Lock</title><script>document.cookie='lang=en';go('/en/')</script>"),
        page(
            200,
            b"<title>Verify your tickets</title><p>Type the number.<input name=number>"
            b"<div class=g-recaptcha></div>",
        ),
        page(200, b"<title>The verification of meters</title><p>A gauge is verified each year."),
        page(
            200,
            b"<title>The bot challenge of 2019</title><p>Challenge and proof of work: "
            + b"a history of how the river keepers met the machines. " * 20,
        ),
        page(200, ANUBIS.replace(b"<p>", b"<p><a href=/x>x</a>" * 12)),
        page(
            200,
            b"<title>News</title><script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'>"
            b"</script><meta name=robots content=noindex><p>The keeper read the gauge.",
        ),
    ],
)
def test_it_leaves_honest_pages_with_a_captcha_a_cookie_or_the_words_alone(open_page):
    assert not is_wall(open_page)
