import { type DefaultTreeAdapterTypes, html, parse, parseFragment } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const anywhere = ['lang', 'dir']
/** Written down once more, so that a slip in the policy shows. */
const allowed: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    'p h2 h3 h4 ul li blockquote pre hr figcaption table caption thead tbody tr details summary strong em u s sub sup mark br'
      .split(' ')
      .map((tag) => [tag, []]),
  ),
  ol: ['start'],
  code: ['class'],
  figure: ['data-align'],
  th: ['scope', 'colspan', 'rowspan'],
  td: ['colspan', 'rowspan'],
  a: ['href', 'title', 'target', 'hreflang', 'rel', 'data-entry-id'],
  video: ['src', 'title', 'width', 'height', 'data-media-id', 'controls', 'preload'],
  audio: ['src', 'title', 'data-media-id', 'controls', 'preload'],
  img: ['src', 'alt', 'title', 'width', 'height', 'data-media-id', 'loading'],
  iframe: ['src', 'title', 'width', 'height', 'allowfullscreen', 'loading', 'sandbox', 'allow'],
}

/** Everything in cleaned HTML that the policy does not allow, in each of the ways a browser may come to parse it. */
export const dangersIn = (cleaned: string): string[] =>
  readings(cleaned).flatMap((root) => [...elementsIn(root)].flatMap(dangersOf))

/** How deep the elements of cleaned HTML are inside each other. */
export const depthOf = (cleaned: string): number => {
  const depth = (node: Node): number =>
    ('tagName' in node ? 1 : 0) + ('childNodes' in node ? Math.max(0, ...node.childNodes.map(depth)) : 0)
  return depth(parseFragment(cleaned))
}

const readings = (cleaned: string): Node[] => {
  const body = bodyOf(parse(`<!doctype html><body>${cleaned}`))
  const quirks = bodyOf(parse(`<body>${cleaned}`))
  return [body, quirks, parseFragment(cleaned), parseFragment(cleaned, { scriptingEnabled: false })]
}

const bodyOf = (document: Node): Node => {
  for (const element of elementsIn(document))
    if (element.tagName === 'body') return { ...element, tagName: 'p', attrs: [] }
  throw new Error('there is no body')
}

function* elementsIn(node: Node): Generator<Element> {
  if ('tagName' in node) yield node
  if ('childNodes' in node) for (const child of node.childNodes) yield* elementsIn(child)
}

const dangersOf = (element: Element): string[] => {
  const { tagName, namespaceURI, attrs } = element
  const names = allowed[tagName]
  if (namespaceURI !== html.NS.HTML) return [`<${tagName}> of ${namespaceURI}`]
  if (!Object.hasOwn(allowed, tagName) || !names) return [`<${tagName}>`]
  return attrs.flatMap(({ name, value }) => {
    if (!names.includes(name) && !anywhere.includes(name)) return [`${tagName}[${name}]`]
    return (name === 'href' || name === 'src') && !isSafe(tagName, value) ? [`${tagName}[${name}=${value}]`] : []
  })
}

const isSafe = (tag: string, value: string): boolean => {
  const url = new URL(value, 'https://site.example/page')
  if (tag === 'iframe')
    return url.protocol === 'https:' && /^(www\.)?youtube-nocookie\.com$|^player\.vimeo\.com$/.test(url.host)
  if (tag === 'video' || tag === 'audio')
    return url.origin === 'https://site.example' && /^\/media\/[0-9a-f-]{36}\//i.test(url.pathname)
  const protocols = tag === 'img' ? ['http:', 'https:'] : ['http:', 'https:', 'mailto:', 'tel:']
  return protocols.includes(url.protocol)
}
