/** Tests of the engine on Restate, with a server from npm. */
package dev.parley.engine.restate;
