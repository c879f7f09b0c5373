# The code artifact with the id 2 of order-total.json: writes the letter to the customer.
from textwrap import dedent


def main(inputs):
    letter = dedent("""\
        Thank you for your order.

        {lines}

        Total: {total:.2f} EUR
        """)
    return {"letter": letter.format(lines=inputs["lines"], total=inputs["total"])}
