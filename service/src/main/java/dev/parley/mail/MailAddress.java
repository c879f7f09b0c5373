package dev.parley.mail;

import java.net.IDN;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The supported email addresses, of accounts and of recipients: plain ones, without names, brackets, quotes or comments,
 * in ASCII before the {@code @}. Accounts are stored and compared in the form of {@link #normalized}.
 */
public final class MailAddress {
    public static final int MAX_LENGTH = 254;
    private static final Pattern LOCAL =
            Pattern.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64})*");
    private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

    /** The last label of a name is not a number; that of an IP address is. */
    private static final Pattern DOMAIN = Pattern.compile("(" + LABEL + "\\.)*(?![0-9]+$)" + LABEL);

    private MailAddress() {}

    /** The address in SMTP form, with its domain in lower case and ASCII; empty if it is invalid. */
    public static Optional<String> parse(String text) {
        String address = text.strip();
        int separator = address.lastIndexOf('@');
        if (separator < 1 || address.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        String local = address.substring(0, separator);
        return domain(address.substring(separator + 1))
                .filter(domain -> local.length() <= 64
                        && LOCAL.matcher(local).matches()
                        && local.length() + domain.length() < MAX_LENGTH)
                .map(domain -> local + "@" + domain);
    }

    /** An address as it is stored and compared: as {@link #parse} returns it, in lower case. */
    public static String normalized(String text) {
        return parse(text).orElse(text.strip()).toLowerCase(Locale.ROOT);
    }

    /**
     * A domain in lower case and ASCII; empty if it is invalid. IDN maps some characters to others, such as the German
     * sharp s to ss and the Kelvin sign to k, so that another domain would get the mail: these are invalid, too.
     */
    public static Optional<String> domain(String text) {
        String domain = Normalizer.normalize(text, Normalizer.Form.NFC);
        try {
            String ascii = IDN.toASCII(domain).toLowerCase(Locale.ROOT);
            boolean isUnchanged = text.chars().allMatch(MailAddress::isUnambiguous)
                    && (ascii.equalsIgnoreCase(domain) || IDN.toUnicode(ascii).equals(domain.toLowerCase(Locale.ROOT)));
            return isUnchanged && DOMAIN.matcher(ascii).matches() ? Optional.of(ascii) : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static boolean isUnambiguous(int c) {
        return Character.toLowerCase(c) == c || Character.toUpperCase(Character.toLowerCase(c)) == c;
    }
}
