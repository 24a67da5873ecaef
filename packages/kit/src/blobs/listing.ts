import { xmlElements } from '../xml.ts'

export type Listing = { objects: { key: string; size: number; modifiedAt: Date }[]; next: string | undefined }

const ROOT = 'ListBucketResult/'
const OBJECT = `${ROOT}Contents`

/** Reads a ListObjectsV2 answer. Only the members we use; objects without them are left out. Throws `XmlError`. */
export const parseListing = (xml: string): Listing => {
  const objects: Listing['objects'] = []
  const found = new Map<string, string>()
  for (const { path, text } of xmlElements(xml)) {
    if (path !== OBJECT) found.set(path, text)
    else {
      const [key, size, modified] = ['Key', 'Size', 'LastModified'].map((name) => take(found, `${OBJECT}/${name}`))
      const modifiedAt = new Date(modified ?? Number.NaN)
      if (key !== undefined && /^\d+$/.test(size ?? '') && !Number.isNaN(modifiedAt.getTime()))
        objects.push({ key, size: Number(size), modifiedAt })
    }
  }
  const isMore = found.get(`${ROOT}IsTruncated`) === 'true'
  return { objects, next: isMore ? found.get(`${ROOT}NextContinuationToken`) : undefined }
}

/** Removes the value, so that it is not taken for that of the next object. */
const take = (found: Map<string, string>, path: string): string | undefined => {
  const text = found.get(path)
  found.delete(path)
  return text
}
