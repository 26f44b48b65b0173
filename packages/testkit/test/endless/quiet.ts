/** A service that writes nothing, so that no closed pipe ends it. */
setInterval(() => {}, 1000)
