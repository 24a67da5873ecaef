import type { Person } from '@stoa/tests/lib/cms.ts'

/** A delivery key, minted over HTTP by that person. */
export const deliveryKeyFor = async (
  person: Person,
  types: readonly string[] = ['*'],
): Promise<{ id: string; key: string }> => {
  const answer = await person.client.post('/api/delivery-keys', { name: 'Website', types })
  if (answer.status !== 201) throw new Error(`minting answered ${answer.status}: ${answer.text}`)
  return { id: String(answer.body.id), key: String(answer.body.key) }
}
