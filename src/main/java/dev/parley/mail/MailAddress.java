package dev.parley.mail;

import java.net.IDN;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The supported email addresses: plain ones, without names, quotes or comments, in ASCII before the {@code @}. */
public final class MailAddress {
    private static final int MAX_LENGTH = 254;
    private static final Pattern LOCAL =
            Pattern.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64})*");
    private static final Pattern DOMAIN = Pattern.compile(
            "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*");

    private MailAddress() {}

    /** The address in SMTP form, with its domain in lower case and ASCII; empty if it is invalid. */
    public static Optional<String> parse(String text) {
        String address = text.strip();
        int separator = address.lastIndexOf('@');
        if (separator < 1 || address.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        String local = address.substring(0, separator);
        String domain;
        try {
            domain = IDN.toASCII(address.substring(separator + 1)).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
        boolean isValid = local.length() <= 64
                && LOCAL.matcher(local).matches()
                && DOMAIN.matcher(domain).matches();
        return isValid ? Optional.of(local + "@" + domain) : Optional.empty();
    }
}
