"""Deliveries: tried again over a day, logged, given up, and never twice."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.jobs import queue
from apps.jobs.tasks import run
from apps.schemas.refused import Refused
from apps.watches import subscriptions
from apps.watches.carriers.carrier import CarrierProblem
from apps.watches.carriers.webhook import WEBHOOK
from apps.watches.deliveries import PAUSES, retry_due
from apps.watches.digests import begin_digests
from apps.watches.models import Delivery, Digest, DigestSubscription, Watch, WatchVisit
from tests.people import person
from tests.watch_fixtures import START, visits, watch  # noqa: F401
from tests.watches.carriers.smtp_server import MailSink, mail_sink

pytestmark = pytest.mark.django_db
HOOK = "http://hooks.test/watch"


@pytest.fixture
def answers(monkeypatch) -> list[object]:
    """What the webhook answers, in order; the messages that were sent stand in `sent`."""
    return []


@pytest.fixture
def sent(monkeypatch, answers) -> list[str]:
    sent: list[str] = []

    def send(target: str, secret: str, message) -> str:
        sent.append(message.id)
        answer = answers.pop(0) if answers else "200"
        if isinstance(answer, Exception):
            raise answer
        return str(answer)

    monkeypatch.setattr(WEBHOOK, "send", send)
    return sent


@pytest.fixture
def delivery(settings, watch: Watch, visits: list[WatchVisit], sent) -> Delivery:
    settings.ADDRESS = "https://crawl.test"
    subscriptions.choose_carrier(watch, watch.owner, "webhook", START, target=HOOK)
    Delivery.objects.all().delete()
    begin_digests(timezone.now())
    digest = Digest.objects.get(visit=visits[1])
    run(digest._meta.label_lower, digest.pk, digest.job_attempt)
    return Delivery.objects.get()


def work(delivery: Delivery) -> Delivery:
    """A worker does what is queued."""
    delivery.refresh_from_db()
    run(delivery._meta.label_lower, delivery.pk, delivery.job_attempt)
    delivery.refresh_from_db()
    return delivery


def test_it_is_sent_once(delivery: Delivery, sent: list[str]) -> None:
    work(delivery)
    assert (delivery.status, len(sent)) == (Delivery.Fate.SENT, 1)
    queue.enqueue(delivery)
    work(delivery)
    assert len(sent) == 1


def test_it_is_tried_again_over_a_day_then_given_up(delivery, answers, sent) -> None:
    answers.extend(CarrierProblem("It answered 500") for _ in range(20))
    began = timezone.now()
    for _ in range(len(PAUSES) + 1):
        assert delivery.status == Delivery.Fate.WAITING
        work(delivery)
        if delivery.next_at:
            assert retry_due(delivery.next_at - timedelta(seconds=1)) == []
            assert retry_due(delivery.next_at) == [f"delivery {delivery.pk} is tried"]
    assert delivery.status == Delivery.Fate.GIVEN_UP
    assert sum(PAUSES, timedelta()) == timedelta(days=1)
    assert delivery.log.count() == len(PAUSES) + 1
    assert {row.answer for row in delivery.log.all()} == {"It answered 500"}
    assert len(set(sent)) == 1
    assert retry_due(began + timedelta(days=9)) == []


def test_it_arrives_after_a_failure(delivery, answers, sent) -> None:
    answers.append(CarrierProblem("Not reached"))
    work(delivery)
    retry_due(delivery.next_at)
    work(delivery)
    assert delivery.status == Delivery.Fate.SENT
    assert [row.is_accepted for row in delivery.log.order_by("pk")] == [False, True]


def test_a_worker_that_was_killed_is_made_up_for(delivery, sent) -> None:
    queue.claim(Delivery, delivery.pk, delivery.job_attempt)
    Delivery.objects.filter(pk=delivery.pk).update(
        job_touched_at=timezone.now() - timedelta(hours=1)
    )
    assert len(queue.requeue_lost()) >= 1
    work(delivery)
    assert (delivery.status, len(sent)) == (Delivery.Fate.SENT, 1)


def test_who_cannot_see_the_topic_any_more_gets_nothing(delivery, sent) -> None:
    DigestSubscription.objects.update(person=person("eve"))
    work(delivery)
    assert (delivery.status, sent) == (Delivery.Fate.GIVEN_UP, [])
    assert delivery.log.get().answer == "You cannot see this topic any more."


def test_without_an_address_of_the_site_they_refuse_to_start(settings, watch: Watch) -> None:
    settings.ADDRESS, settings.MAIL_SERVER = "", "smtp://127.0.0.1"
    for carrier, target in (("mail", "ada@a.test"), ("webhook", HOOK)):
        with pytest.raises(Refused, match="sets CRAWLSITE_ADDRESS"):
            subscriptions.choose_carrier(watch, watch.owner, carrier, START, target=target)
    assert not DigestSubscription.objects.exists()


def test_a_test_message_states_whether_the_target_works(
    settings, watch: Watch, answers, sent
) -> None:
    settings.ADDRESS = "https://crawl.test"
    answers.extend([CarrierProblem("It answered 500"), "200"])
    hook = subscriptions.choose_carrier(watch, watch.owner, "webhook", START, target=HOOK)
    first = work(hook.deliveries.get())
    assert (first.status, first.log.get().answer) == (Delivery.Fate.GIVEN_UP, "It answered 500")
    with pytest.raises(Refused, match="wait for half a minute"):
        subscriptions.send_test(hook, START)
    work(subscriptions.send_test(hook, START + timedelta(minutes=1)))
    hook.refresh_from_db()
    assert hook.tested_at is not None


@pytest.fixture
def by_mail(settings, delivery: Delivery) -> Delivery:
    """The delivery of a digest by mail."""
    settings.MAIL_SERVER = "smtp://127.0.0.1"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    DigestSubscription.objects.update(carrier="mail", target="ada@a.test")
    return Delivery.objects.get()


def use_server(settings, server: MailSink) -> None:
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.server_address[1]


def test_mail_that_a_server_takes_later_arrives_once(settings, by_mail: Delivery) -> None:
    with mail_sink("451 4.7.1 Try again later", "421 Busy") as server:
        use_server(settings, server)
        for attempt in (1, 2):
            work(by_mail)
            assert (by_mail.status, by_mail.attempts) == (Delivery.Fate.WAITING, attempt)
            assert server.taken == []
            assert retry_due(by_mail.next_at) == [f"delivery {by_mail.pk} is tried"]
        work(by_mail)
        assert (by_mail.status, by_mail.next_at) == (Delivery.Fate.SENT, None)
        (taken,) = server.taken
    assert f"Message-ID: <crawlsite-{by_mail.pk}@crawl.test>" in taken
    answers = [row.answer for row in by_mail.log.order_by("pk")]
    assert "451 4.7.1 Try again later" in answers[0] and "Busy" in answers[1]
    assert answers[2] == "accepted by the mail server"


def test_mail_to_a_server_that_comes_back_arrives(settings, by_mail: Delivery) -> None:
    with mail_sink() as gone:
        use_server(settings, gone)
    work(by_mail)
    assert by_mail.status == Delivery.Fate.WAITING
    assert "The mail server cannot be used" in by_mail.log.get().answer
    retry_due(by_mail.next_at)
    with mail_sink() as server:
        use_server(settings, server)
        work(by_mail)
        assert (by_mail.status, len(server.taken)) == (Delivery.Fate.SENT, 1)


def test_mail_to_an_address_that_there_is_not_is_given_up(settings, by_mail: Delivery) -> None:
    with mail_sink("550 No such person") as server:
        use_server(settings, server)
        work(by_mail)
    assert (by_mail.status, by_mail.next_at) == (Delivery.Fate.GIVEN_UP, None)
    assert "refuses ada@a.test: 550 No such person" in by_mail.log.get().answer
