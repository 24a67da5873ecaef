/** What stays of the HTML of a message. Everything that is not named here is unwrapped: its content stays. */

/** HTML beyond this length is cut off. */
export const MAX_HTML_LENGTH = 2_097_152
/** No newsletter comes near it; each element costs the reader's browser, too. */
export const MAX_ELEMENTS = 100_000

/**
 * Go with everything in them: active, replaced, or never meant to be read. Foreign elements (svg, math) go as well; what
 * a style element says is looked at on the way.
 */
export const DROPPED: ReadonlySet<string> = new Set(
  (
    'script style template noscript object embed applet svg math title head iframe frame frameset noframes noembed ' +
    'xmp plaintext listing button input select option optgroup datalist textarea output progress meter keygen audio ' +
    'video source track canvas map area base link meta param portal dialog'
  ).split(' '),
)

/** Elements without content and end tag. */
export const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'wbr', 'col'])

export const ALLOWED: ReadonlySet<string> = new Set(
  (
    'a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del ' +
    'details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ' +
    'ol p pre q s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul ' +
    'var wbr'
  ).split(' '),
)

/** Elements whose place in a table is part of the grammar: elsewhere they are unwrapped. */
export const TABLE_PARENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['caption', ['table']],
  ['colgroup', ['table']],
  ['col', ['colgroup']],
  ['thead', ['table']],
  ['tbody', ['table']],
  ['tfoot', ['table']],
  ['tr', ['thead', 'tbody', 'tfoot']],
  ['td', ['tr']],
  ['th', ['tr']],
])
