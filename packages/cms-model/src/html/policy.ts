/** The stored HTML of rich text: what stays, what is renamed and what goes with its content. Everything else is unwrapped. */

/** In UTF-8, before and after cleaning: more is a book, and slows every read of the entry down. */
export const MAX_HTML_BYTES = 1_048_576
/** Elements inside each other, at most. */
export const MAX_HTML_DEPTH = 256

/** Players that may be embedded. A site can configure more. */
export const EMBED_HOSTS: readonly string[] = ['www.youtube-nocookie.com', 'youtube-nocookie.com', 'player.vimeo.com']

/** What an embedded player may do. It is foreign, so its own origin is no danger to ours. */
export const EMBED_SANDBOX = 'allow-scripts allow-same-origin allow-presentation allow-popups'
export const EMBED_ALLOW = 'fullscreen; picture-in-picture; encrypted-media'

export const renames: ReadonlyMap<string, string> = new Map([
  ['b', 'strong'],
  ['i', 'em'],
  ['strike', 's'],
  ['del', 's'],
  ['h1', 'h2'],
  ['h5', 'h4'],
  ['h6', 'h4'],
  // A table keeps its last rows; the policy has no foot for them.
  ['tfoot', 'tbody'],
])

/** Inline formatting: wraps text, breaks and pictures. */
export const markTags: ReadonlySet<string> = new Set(['strong', 'em', 'u', 's', 'code', 'sub', 'sup', 'mark', 'a'])

/** Stand between blocks. What is between their tags goes. */
export const playerTags: ReadonlySet<string> = new Set(['iframe', 'video', 'audio'])

export const headingTags: ReadonlySet<string> = new Set(['h2', 'h3', 'h4'])

/** Go with everything in them: active, replaced, or never meant to be read. Foreign elements (svg, math) go as well. */
export const droppedTags: ReadonlySet<string> = new Set([
  ...['script', 'style', 'template', 'noscript', 'object', 'embed', 'applet', 'svg', 'math', 'title', 'head'],
  ...[
    'button',
    'input',
    'select',
    'option',
    'optgroup',
    'datalist',
    'textarea',
    'output',
    'progress',
    'meter',
    'keygen',
  ],
  ...['noembed', 'noframes', 'frameset', 'frame'],
])

/** Unwrapped, but what they hold stays apart from its neighbours, in paragraphs of its own. */
export const blockTags: ReadonlySet<string> = new Set([
  ...['address', 'article', 'aside', 'body', 'center', 'dd', 'details', 'dialog', 'dir', 'div', 'dl', 'dt', 'fieldset'],
  ...['blockquote', 'caption', 'figcaption', 'figure', 'footer', 'form', 'header', 'hgroup', 'html', 'legend', 'li'],
  ...[
    'listing',
    'main',
    'menu',
    'nav',
    'ol',
    'p',
    'plaintext',
    'pre',
    'search',
    'section',
    'summary',
    'table',
    'tbody',
  ],
  ...['td', 'th', 'thead', 'tr', 'ul', 'xmp', 'h2', 'h3', 'h4', 'hr'],
])
