export type Listing = { objects: { key: string; size: number; modifiedAt: Date }[]; next: string | undefined }

/** Reads a ListObjectsV2 answer. Only the four members we use; objects without them are left out. */
export const parseListing = (xml: string): Listing => {
  const objects = xml
    .split('<Contents>')
    .slice(1)
    .flatMap((part) => {
      const [key, size, modified] = [element(part, 'Key'), element(part, 'Size'), element(part, 'LastModified')]
      const modifiedAt = new Date(modified ?? Number.NaN)
      const isComplete = key !== undefined && /^\d+$/.test(size ?? '') && !Number.isNaN(modifiedAt.getTime())
      return isComplete ? [{ key, size: Number(size), modifiedAt }] : []
    })
  return { objects, next: element(xml, 'IsTruncated') === 'true' ? element(xml, 'NextContinuationToken') : undefined }
}

const element = (xml: string, name: string): string | undefined => {
  const start = xml.indexOf(`<${name}>`)
  const end = start === -1 ? -1 : xml.indexOf(`</${name}>`, start)
  return end === -1 ? undefined : decodeEntities(xml.slice(start + name.length + 2, end))
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(\w{1,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
