/** What every request passes: body limits, parsing, parameters, and the responses to errors. */
@NullMarked
package dev.parley.http.filter;

import org.jspecify.annotations.NullMarked;
