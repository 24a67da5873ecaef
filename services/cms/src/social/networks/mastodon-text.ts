const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** What a post says, of the HTML that a server made of it. Links keep their whole address in parts that are not shown. */
export const textOfStatus = (html: string): string => {
  const lines = html.replace(/<br\s*\/?>|<\/p>/gi, '\n').replace(/<[^>]*>/g, '')
  return wordsOf(lines.replace(/&(#39|[a-z]+);/gi, (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity))
}

/** As a server shows it: without the servers of mentions, and whatever the spaces. */
export const wordsOf = (text: string): string =>
  text
    .replace(/@(\w+)@[\w.-]+\w/g, '@$1')
    .replace(/\s+/g, ' ')
    .trim()
