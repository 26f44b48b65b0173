/**
 * The game from a program: typed requests over HTTP and a socket that comes back by itself.
 */
export {}
