package dev.parley.mail;

import dev.parley.http.core.SingleLineText;
import dev.parley.problem.Text;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/**
 * An SMTP connection that tracks the progress of a mail. Before the final dot the server must not deliver it; between
 * the dot and the response the outcome is unknown; so the mail is recorded as handed over just before the dot.
 */
final class SmtpConnection extends SMTPTransport {
    private static final int MAX_DESCRIPTION_LENGTH = 500;

    /** An enhanced status code about an address, a mailbox or the content (RFC 3463). */
    private static final Pattern ABOUT_THE_MAIL = Pattern.compile("^5[0-9]{2}[ -]5\\.[126]\\.");

    private boolean complete;
    private BooleanSupplier handOver = () -> false;

    SmtpConnection(Session session) {
        super(session, null);
    }

    /**
     * Sends to one recipient. The connection is closed unless the result is Sent or SendRejected.
     *
     * @param beforeDot called when everything but the final dot is written; false keeps the mail from being sent
     */
    synchronized SendResult send(MimeMessage message, InternetAddress to, BooleanSupplier beforeDot) {
        complete = false;
        handOver = beforeDot;
        try {
            sendMessage(message, new InternetAddress[] {to});
            return new SendResult.Sent();
        } catch (LeaseLostException _) {
            closeQuietly();
            return new SendResult.LeaseLost();
        } catch (MessagingException e) {
            SendResult result = result(e);
            if (!(result instanceof SendResult.SendRejected)) {
                closeQuietly();
            }
            return result;
        } catch (RuntimeException e) {
            // From recording before the dot: the database is unavailable, and nothing was handed over.
            closeQuietly();
            return new SendResult.Deferred("The mail could not be recorded as handed over: " + e.getMessage());
        }
    }

    private SendResult result(MessagingException failure) {
        int code = code(failure);
        String reason = describe(failure);
        if (code >= 540 || (code >= 500 && ABOUT_THE_MAIL.matcher(reason).find())) {
            return new SendResult.SendRejected(reason);
        }
        // Lower codes are about the client, its name or its credentials, which would fail all mails.
        if (complete && code < 400) {
            return new SendResult.Uncertain(reason);
        }
        return new SendResult.Deferred(reason);
    }

    /**
     * The server's status for the recipient or the mail; 0 for none. A status for the sender is a configuration error.
     */
    private static int code(MessagingException failure) {
        for (Exception e = failure; e instanceof MessagingException nested; e = nested.getNextException()) {
            if (e instanceof SMTPAddressFailedException rejected) {
                return rejected.getReturnCode();
            }
            if (e instanceof SMTPSendFailedException rejected && rejected.getReturnCode() > 0) {
                boolean isSenderRejected = rejected.getCommand().startsWith("MAIL") && rejected.getReturnCode() != 552;
                return isSenderRejected ? Math.min(rejected.getReturnCode(), 499) : rejected.getReturnCode();
            }
        }
        return 0;
    }

    /** The server's response, or the failure, as one line. */
    static String describe(Exception failure) {
        Exception last = failure;
        while (last instanceof MessagingException nested && nested.getNextException() != null) {
            last = nested.getNextException();
        }
        String text = SingleLineText.of(String.valueOf(last.getMessage()))
                .replaceAll(" +", " ")
                .strip();
        return Text.truncate(text, MAX_DESCRIPTION_LENGTH);
    }

    @Override
    protected void finishData() throws IOException, MessagingException {
        if (!handOver.getAsBoolean()) {
            throw new LeaseLostException();
        }
        complete = true;
        super.finishData();
    }

    void closeQuietly() {
        try {
            close();
        } catch (MessagingException _) {
            // The connection is lost either way.
        }
    }

    /** Keeps a mail that another node may have adopted from being sent. */
    private static final class LeaseLostException extends MessagingException {
        private static final long serialVersionUID = 1;
    }
}
