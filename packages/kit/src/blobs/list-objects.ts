import { XmlError } from '../xml.ts'
import { type Listing, parseListing } from './listing.ts'
import { type S3Client, unavailable } from './s3-client.ts'

export type ListedObject = { object: string; size: number; modifiedAt: Date }

/** All objects of the bucket whose names start with the prefix, in the order of their names. */
export async function* listObjects(client: S3Client, prefix: string): AsyncGenerator<ListedObject> {
  let token: string | undefined
  do {
    const query = { 'list-type': '2', prefix, ...(token && { 'continuation-token': token }) }
    const page = readListing(await client.sendForText({ method: 'GET', query, expect: [200] }))
    for (const { key: object, size, modifiedAt } of page.objects) yield { object, size, modifiedAt }
    token = page.next
  } while (token !== undefined)
}

/** Half a list must not look like a whole one: what it leaves out would be taken for missing. */
const readListing = (xml: string): Listing => {
  try {
    return parseListing(xml)
  } catch (error) {
    if (error instanceof XmlError) throw unavailable(error)
    throw error
  }
}
