/**
 * Loads the page again if a file of it does not arrive. Browsers end all requests when the phone changes its network, and
 * without one of its modules nothing of the page would run. Not a module itself, so that it needs no other file.
 */
addEventListener('error', ({ target }) => {
  if (target.matches?.('script, [rel=stylesheet]')) setTimeout(() => location.reload(), 1000);
}, true);
