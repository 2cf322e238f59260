"""Digests by mail, through the mail server of the settings."""

from __future__ import annotations

from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email

from apps.schemas.refused import Refused
from apps.watches.carriers.carrier import CarrierProblem, DigestMessage


class Mail:
    """One mail a digest, plain text."""

    id = "mail"
    title = "Mail"
    sentence = "One mail a visit that has brought something, in plain text, tried again over a day."
    target_words = "mail address"
    needs_address = True

    def refusal(self) -> str:
        if not settings.MAIL_SERVER:
            return "Mail needs a mail server: the administrator sets CRAWLSITE_MAIL."
        return ""

    def check_target(self, target: str) -> str:
        target = target.strip()
        try:
            validate_email(target)
        except ValidationError:
            raise Refused("target", "Give a mail address, such as name@example.org.") from None
        return target

    def send(self, target: str, secret: str, message: DigestMessage) -> str:
        host = urlsplit(settings.ADDRESS).hostname or "localhost"
        mail = EmailMessage(
            # A line end in a topic's name would begin another header.
            subject=" ".join(message.title.split()),
            body=f"{message.text}\n-- \nYou chose to get this. To end it: {message.address}#tell\n",
            from_email=settings.DEFAULT_FROM_EMAIL,
            to=[target],
            headers={
                "Message-ID": f"<{message.id}@{host}>",
                "Auto-Submitted": "auto-generated",
            },
        )
        try:
            mail.send()
        except SMTPRecipientsRefused as error:
            code, refused = next(iter(error.recipients.values()))
            raise CarrierProblem(
                f"The mail server refuses {target}: {code} {_words(refused)}", is_final=code >= 500
            ) from None
        except SMTPResponseException as error:
            raise CarrierProblem(
                f"The mail server answered {error.smtp_code} {_words(error.smtp_error)}"
            ) from None
        except (SMTPException, OSError, ValueError) as error:
            words = str(error) or type(error).__name__
            raise CarrierProblem(f"The mail server cannot be used: {words[:200]}") from None
        return "accepted by the mail server"


def _words(answer: bytes | str) -> str:
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    return " ".join(text.split())[:200]


MAIL = Mail()
