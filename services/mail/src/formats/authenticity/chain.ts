import type { ARCResult } from 'mailauth'
import { z } from 'zod'

/** What mailauth has read of a field; the results of the newest set have another name. */
const result = z.looseObject({
  value: z.string().optional(),
  result: z.string().optional(),
  header: z.record(z.string(), z.unknown()).optional(),
})
const results = z.looseObject({ dmarc: result.optional(), dkim: z.array(result).optional() })
const seal = z.looseObject({ d: z.looseObject({ value: z.string() }) })

type Chain = { sealers: string[]; authenticated: string[] }

/** Who sealed a message (RFC 8617), and which domains the first of them found authentic. */
export const readChain = (arc: ARCResult | null): Chain => {
  if (arc?.status.result !== 'pass') return { sealers: [], authenticated: [] }
  const sets = arc.chain ?? []
  const sealers = sets.map((set) => {
    const read = seal.safeParse(set['arc-seal']?.parsed)
    return read.success ? read.data.d.value.toLowerCase() : ''
  })
  // mailauth removes the results of the newest set from the chain
  const first = results.safeParse(
    sets.length === 1 ? arc.authenticationResults : sets[0]?.['arc-authentication-results']?.parsed,
  )
  if (!first.success) return { sealers, authenticated: [] }
  const { dmarc, dkim = [] } = first.data
  const names = [nameOf(dmarc, 'from'), ...dkim.map((one) => nameOf(one, 'd'))]
  return { sealers, authenticated: names.flatMap((name) => name ?? []) }
}

const nameOf = (one: z.infer<typeof result> | undefined, property: string): string | null => {
  const name = one?.header?.[property]
  return (one?.value ?? one?.result) === 'pass' && typeof name === 'string' ? name.toLowerCase() : null
}
