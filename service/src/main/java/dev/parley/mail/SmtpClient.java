package dev.parley.mail;

import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Deque;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.BooleanSupplier;

/** Connects to the configured SMTP server. The operator configured it, so it may have a private address. */
final class SmtpClient {
    private static final String UTF_8 = StandardCharsets.UTF_8.name();

    private final Settings.Smtp smtp;
    private final Session session;
    private final Deque<SmtpConnection> idle = new ConcurrentLinkedDeque<>();
    private final InternetAddress sender;
    private final String domain;

    /** An invalid sender is a {@link SettingsException}. */
    SmtpClient(Settings.Smtp smtp) {
        this.smtp = smtp;
        try {
            this.sender = new InternetAddress(smtp.sender(), true);
            if (sender.getPersonal() != null) {
                sender.setPersonal(sender.getPersonal(), UTF_8);
            }
        } catch (AddressException | UnsupportedEncodingException _) {
            throw invalidSender();
        }
        String address = MailAddress.parse(sender.getAddress()).orElseThrow(SmtpClient::invalidSender);
        this.domain = address.substring(address.indexOf('@') + 1);
        this.session = Session.getInstance(properties(smtp, domain));
    }

    /** The From header as people read it; replies go to its address. */
    String from() {
        return sender.toUnicodeString();
    }

    private static SettingsException invalidSender() {
        return new SettingsException(
                Setting.PARLEY_SMTP_SENDER,
                "must be an address such as parley@example.org or Parley <parley@example.org>.");
    }

    /** @param ownName the name in EHLO: servers reject the host names of containers, which have no domain */
    private static Properties properties(Settings.Smtp smtp, String ownName) {
        String timeout = Long.toString(smtp.timeout().toMillis());
        var properties = new Properties();
        properties.setProperty("mail.smtp.connectiontimeout", timeout);
        properties.setProperty("mail.smtp.timeout", timeout);
        properties.setProperty("mail.smtp.writetimeout", timeout);
        properties.setProperty("mail.smtp.quitwait", "false");
        properties.setProperty("mail.smtp.localhost", ownName);
        properties.setProperty("mail.smtp.auth", Boolean.toString(!smtp.user().isEmpty()));
        properties.setProperty("mail.smtp.ssl.checkserveridentity", "true");
        switch (smtp.mode()) {
            case STARTTLS -> {
                properties.setProperty("mail.smtp.starttls.enable", "true");
                // Otherwise a server without STARTTLS, or an attacker on the path, would receive the mail unencrypted.
                properties.setProperty("mail.smtp.starttls.required", "true");
            }
            case TLS -> properties.setProperty("mail.smtp.ssl.enable", "true");
            case PLAIN -> {
                // For a server on the same machine.
            }
        }
        return properties;
    }

    /**
     * Sends a mail over an idle connection or a new one.
     *
     * @param beforeDot see {@link SmtpConnection#send}
     */
    SendResult send(OutgoingMail mail, BooleanSupplier beforeDot) {
        MimeMessage message;
        InternetAddress to;
        try {
            to = new InternetAddress(mail.to(), true);
            message = message(mail, to);
        } catch (MessagingException e) {
            return new SendResult.SendRejected("The mail cannot be written: " + SmtpConnection.describe(e));
        }
        SmtpConnection connection = idle.pollLast();
        if (connection == null) {
            connection = new SmtpConnection(session);
        }
        try {
            connect(connection);
        } catch (MessagingException e) {
            connection.closeQuietly();
            return new SendResult.Unreachable(SmtpConnection.describe(e));
        }
        SendResult result = connection.send(message, to, beforeDot);
        idle.addLast(connection);
        return result;
    }

    /** A connection is closed after a failure; a server may also close an idle one. */
    private void connect(SmtpConnection connection) throws MessagingException {
        if (connection.isConnected()) {
            return;
        }
        boolean authenticates = !smtp.user().isEmpty();
        connection.connect(
                smtp.host(), smtp.port(), authenticates ? smtp.user() : null, authenticates ? smtp.password() : null);
    }

    /** Closes the connections that are idle at present. */
    void closeIdle() {
        for (int count = idle.size(); count > 0; count--) {
            SmtpConnection connection = idle.pollFirst();
            if (connection != null) {
                connection.closeQuietly();
            }
        }
    }

    /** The mail to send: the same bytes, except for the boundary, and the same Message-ID at each attempt. */
    private MimeMessage message(OutgoingMail mail, InternetAddress to) throws MessagingException {
        // The library finds its multipart writers by the thread's context class loader.
        Thread.currentThread().setContextClassLoader(SmtpClient.class.getClassLoader());
        var message = new StableMessage(session, "<" + mail.key().id().text() + "@" + domain + ">");
        message.setFrom(sender);
        message.setRecipient(MimeMessage.RecipientType.TO, to);
        message.setSubject(mail.subject(), UTF_8);
        message.setHeader(
                "Date",
                DateTimeFormatter.RFC_1123_DATE_TIME.format(mail.createdAt().atOffset(ZoneOffset.UTC)));
        message.setHeader("Auto-Submitted", "auto-generated");
        // Exchange looks only at this one before it sends an out-of-office reply.
        message.setHeader("X-Auto-Response-Suppress", "All");
        String html = mail.html();
        if (html == null) {
            message.setText(mail.text(), UTF_8);
        } else {
            var both = new MimeMultipart("alternative");
            both.addBodyPart(part(mail.text(), "plain"));
            both.addBodyPart(part(html, "html"));
            message.setContent(both);
        }
        message.saveChanges();
        return message;
    }

    private static MimeBodyPart part(String text, String subtype) throws MessagingException {
        var part = new MimeBodyPart();
        part.setText(text, UTF_8, subtype);
        return part;
    }

    /** Keeps its Message-ID; the library would generate a new one for each attempt. */
    private static final class StableMessage extends MimeMessage {
        private final String messageId;

        StableMessage(Session session, String messageId) {
            super(session);
            this.messageId = messageId;
        }

        @Override
        protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", messageId);
        }
    }
}
