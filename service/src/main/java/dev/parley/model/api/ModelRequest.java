package dev.parley.model.api;

import dev.parley.http.RequestValidator;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Name;
import dev.parley.model.ModelCapabilities;
import dev.parley.model.ModelStore.ModelValues;
import dev.parley.model.OrganizationModel;
import dev.parley.problem.ViolationCode;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The request to create a model, or to replace all its fields. */
@FurtherChecks
@Schema(name = "NewModel")
public record ModelRequest(
        @NotNull @Schema(examples = "1") Integer providerId,

        @NotNull
        @Schema(
                description = "The name in definitions and conversations; unique in the organization, not default, and "
                        + "cannot be changed",
                pattern = ALIAS,
                examples = "fast")
        String alias,

        @NotNull
        @Name(max = 200)
        @Schema(description = "The provider's name for the model, or its deployment", examples = "gpt-5-mini")
        String name,

        @Min(1) @Max(MAX_TOKENS) @Nullable Integer contextTokens,
        @Min(1) @Max(MAX_TOKENS) @Nullable Integer maxOutputTokens,

        @Schema(description = PRICE + "input tokens", defaultValue = "0") @Nullable
        BigDecimal inputPrice,

        @Schema(description = PRICE + "input tokens from the provider's cache; by default input_price") @Nullable
        BigDecimal cachedInputPrice,

        @Schema(description = PRICE + "output tokens", defaultValue = "0") @Nullable
        BigDecimal outputPrice,

        @Schema(description = "null where it is unknown; the test of the model fills it in", nullable = true) @Nullable
        ModelCapabilities capabilities,

        @Schema(description = "Makes it the model that is used where none is named", defaultValue = "false") @Nullable
        Boolean isDefault) {
    private static final int MAX_TOKENS = 100_000_000;
    private static final String ALIAS = "^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$";
    private static final String PRICE =
            "0 to 1000000 with at most 6 decimals, in the currency of the price settings: " + "the price of a million ";
    private static final BigDecimal MAX_PRICE = BigDecimal.valueOf(1_000_000);
    private static final int PRICE_DIGITS = 6;

    /** @param before null for a new model */
    ModelValues checked(@Nullable OrganizationModel before) {
        var validator = RequestValidator.of(this);
        validator.require(
                alias == null || alias.matches(ALIAS),
                ViolationCode.INVALID_FORMAT,
                "/alias",
                "'/alias' must have 1 to 100 letters, digits, dots, colons, hyphens and underscores, and begin with a"
                        + " letter or digit.");
        validator.require(
                !OrganizationModel.DEFAULT.equals(alias),
                ViolationCode.ALREADY_USED,
                "/alias",
                "'/alias' must not be default: that is the installation's model.",
                Map.of("value", OrganizationModel.DEFAULT));
        validator.require(
                before == null || before.alias().equals(alias),
                ViolationCode.NOT_ALLOWED,
                "/alias",
                "'/alias' cannot be changed: definitions use it.");
        checkPrice(inputPrice, "/input_price", validator);
        checkPrice(cachedInputPrice, "/cached_input_price", validator);
        checkPrice(outputPrice, "/output_price", validator);
        validator.done();
        return new ModelValues(
                Objects.requireNonNull(providerId),
                Objects.requireNonNull(alias),
                Objects.requireNonNull(name),
                contextTokens,
                maxOutputTokens,
                Objects.requireNonNullElse(inputPrice, BigDecimal.ZERO),
                cachedInputPrice,
                Objects.requireNonNullElse(outputPrice, BigDecimal.ZERO),
                Objects.requireNonNullElse(capabilities, ModelCapabilities.UNKNOWN),
                Boolean.TRUE.equals(isDefault));
    }

    private static void checkPrice(@Nullable BigDecimal price, String path, RequestValidator validator) {
        validator.require(
                price == null
                        || (price.signum() >= 0
                                && price.compareTo(MAX_PRICE) <= 0
                                && price.stripTrailingZeros().scale() <= PRICE_DIGITS),
                ViolationCode.OUT_OF_RANGE,
                path,
                "'" + path + "' must be from 0 to 1000000, with at most 6 decimals.",
                Map.of("min", 0, "max", MAX_PRICE));
    }
}
