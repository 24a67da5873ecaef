import type { Readable } from 'node:stream'
import type { DKIMResult, DMARCResult, SPFResult } from 'mailauth'
import { evaluateDmarc } from 'mailauth/lib/dmarc/index.js'
import { spf } from 'mailauth/lib/spf/index.js'
import { getDomain } from 'tldts'
import { type Author, readAuthor } from './author.ts'
import { readChain } from './chain.ts'
import { splitMessage } from './header-block.ts'
import { type DnsLookup, startLookups } from './lookups.ts'
import { formatResults } from './results.ts'
import { type Signatures, verifySignatures } from './signatures.ts'

export type AuthenticateInput = {
  readonly bytes: Buffer | Readable
  readonly ip: string
  readonly helo: string
  /** Empty for the null sender. */
  readonly mailFrom: string
  readonly resolver: DnsLookup
  /** Our own name, which stands before the results. */
  readonly hostname: string
  readonly now: Date
}

export type SpfVerdict = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'temperror' | 'permerror'
export type DkimVerdict = 'pass' | 'fail' | 'neutral' | 'policy' | 'temperror' | 'permerror'
export type DmarcVerdict = 'pass' | 'fail' | 'none' | 'temperror' | 'permerror'
export type DmarcPolicy = 'none' | 'quarantine' | 'reject'

/** Whether a message is from whom it says. */
export type Authenticity = {
  readonly spf: { readonly result: SpfVerdict; readonly domain: string | null }
  readonly dkim: readonly {
    readonly result: DkimVerdict
    readonly domain: string | null
    readonly selector: string | null
    /** Its hash: the same for every copy of the message. */
    readonly signature: string | null
    /** The signature passed, covers all that is shown, and its domain is the author's (RFC 9989 §4.4). */
    readonly isAligned: boolean
  }[]
  readonly dmarc: {
    readonly result: DmarcVerdict
    /** The policy that the domain publishes; null when it publishes none. */
    readonly policy: DmarcPolicy | null
    /** The action to take on this message. */
    readonly disposition: DmarcPolicy
    readonly domain: string | null
  }
  readonly arc: {
    readonly result: 'none' | 'pass' | 'fail'
    /** The domains that sealed it, in the order in which it went through them. */
    readonly sealers: readonly string[]
    /** The domains that were authenticated when the first of them got it, as it says. */
    readonly authenticated: readonly string[]
  }
  readonly author: {
    /** In ASCII and lower case. */
    readonly domain: string | null
    /**
     * Whether SPF or DKIM passed for the author's own domain, also when it has no DMARC record; null when its name
     * servers could not say.
     */
    readonly isAuthentic: boolean | null
  }
  /** The author, as every view shows it. */
  readonly fromAddress: string | null
  /** Readers could disagree about the author: refuse it (550 5.6.0). Nothing else was looked at then. */
  readonly ambiguousFrom: boolean
  /** Authentication-Results and Received-SPF, folded, each ended by CRLF: to stand before the message. */
  readonly header: string
}

/** RFC 7208 §4.6.4: ten terms that look something up, each `mx` and `ptr` of them up to ten names further. */
const SPF_LOOKUPS = 40
/** Two for each signature, one for each seal. */
const KEY_LOOKUPS = 30
/** RFC 9989 §4.10: eight for each domain that is compared. */
const DMARC_LOOKUPS = 30

/** Checks SPF, DKIM, ARC and DMARC. It never fails: what cannot be found out is a `temperror` or `permerror`. */
export const authenticate = async (input: AuthenticateInput): Promise<Authenticity> => {
  const message = await splitMessage(input.bytes)
  const author = readAuthor(message.header)
  if (author.isAmbiguous) return refused(author)
  const lookups = startLookups(input.resolver)
  try {
    const [spfResult, signatures] = await Promise.all([
      checkSpf(input, lookups.limit(SPF_LOOKUPS)),
      verifySignatures(message, { lookup: lookups.limit(KEY_LOOKUPS), ip: input.ip, now: input.now }),
    ])
    const dmarc = await checkDmarc(author, spfResult, signatures, lookups.limit(DMARC_LOOKUPS))
    return {
      spf: { result: spfVerdict(spfResult), domain: spfResult.domain || null },
      dkim: (signatures?.dkim ?? []).map((result) => ({
        result: dkimVerdict(result),
        domain: result.signingDomain ?? null,
        selector: result.selector ?? null,
        signature: result.id ?? null,
        isAligned: dmarc.aligned.has(result),
      })),
      dmarc: dmarcVerdict(dmarc.result, author),
      arc: { result: arcVerdict(signatures), ...readChain(signatures?.arc ?? null) },
      author: {
        domain: author.domain,
        isAuthentic: isAuthentic(author, { spfResult, signatures, dmarc: dmarc.result }),
      },
      fromAddress: author.address,
      ambiguousFrom: false,
      header: formatResults(input.hostname, {
        ip: input.ip,
        helo: input.helo,
        mailFrom: input.mailFrom,
        spf: spfResult,
        signatures,
        dmarc: dmarc.result,
      }),
    }
  } finally {
    lookups.end()
  }
}

const refused = (author: Author): Authenticity => ({
  spf: { result: 'none', domain: null },
  dkim: [],
  dmarc: { result: 'permerror', policy: null, disposition: 'reject', domain: null },
  arc: { result: 'none', sealers: [], authenticated: [] },
  author: { domain: author.domain, isAuthentic: false },
  fromAddress: author.address,
  ambiguousFrom: true,
  header: '',
})

type Checked = { spfResult: SPFResult; signatures: Signatures | null; dmarc: DMARCResult | null }

/** A DMARC record may ask for stricter alignment than that of the organization (RFC 9989 §4.4), so it comes first. */
const isAuthentic = ({ domain }: Author, { spfResult, signatures, dmarc }: Checked): boolean | null => {
  if (domain === null) return false
  const isAligned = (name: string | undefined): boolean =>
    name !== undefined && organization(name) === organization(domain)
  const spfVerdictOfAuthor = isAligned(spfResult.domain) ? spfVerdict(spfResult) : 'none'
  const isSigned = (signatures?.dkim ?? []).some(
    ({ signingDomain }, index) => signatures?.isSound[index] && isAligned(signingDomain),
  )
  const verdict = DMARC_VERDICTS.find((known) => known === dmarc?.status.result)
  if (verdict === 'pass' || (verdict !== 'fail' && (isSigned || spfVerdictOfAuthor === 'pass'))) return true
  // A sender could make its own signatures slow to look up, so only SPF, which is looked up beside them, excuses it.
  return spfVerdictOfAuthor === 'temperror' ? null : false
}

const organization = (name: string): string => {
  const plain = name.toLowerCase().replace(/\.$/, '')
  return getDomain(plain, { allowPrivateDomains: true }) ?? plain
}

const checkSpf = (input: AuthenticateInput, resolver: DnsLookup): Promise<SPFResult> => {
  const { ip, helo, mailFrom, hostname } = input
  return spf({ sender: mailFrom, ip, helo, mta: hostname, resolver, strict: true })
}

const checkDmarc = async (
  author: Author,
  spfResult: SPFResult,
  signatures: Signatures | null,
  resolver: DnsLookup,
): Promise<{ result: DMARCResult | null; aligned: ReadonlySet<DKIMResult> }> => {
  if (author.domain === null) return { result: null, aligned: new Set() }
  const sound = (signatures?.dkim ?? []).filter((_result, index) => signatures?.isSound[index])
  const { response, dkimAligned } = await evaluateDmarc({
    headerFrom: [`author@${author.domain}`],
    fromFields: 1,
    spfDomains: spfVerdict(spfResult) === 'pass' ? [spfResult.domain] : [],
    dkimDomains: sound.flatMap(({ signingDomain }) => (signingDomain ? [{ domain: signingDomain }] : [])),
    resolver,
    strict: true,
  })
  const isAligned = ({ signingDomain }: DKIMResult): boolean =>
    signingDomain !== undefined && (dkimAligned?.has(signingDomain.toLowerCase().replace(/\.$/, '')) ?? false)
  return { result: response || null, aligned: new Set(sound.filter(isAligned)) }
}

const SPF_VERDICTS: readonly SpfVerdict[] = ['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror']
const DKIM_VERDICTS: readonly DkimVerdict[] = ['pass', 'fail', 'neutral', 'policy', 'temperror', 'permerror']
const DMARC_VERDICTS: readonly DmarcVerdict[] = ['pass', 'fail', 'none', 'temperror', 'permerror']
const POLICIES: readonly DmarcPolicy[] = ['none', 'quarantine', 'reject']

const spfVerdict = ({ status }: SPFResult): SpfVerdict =>
  SPF_VERDICTS.find((verdict) => verdict === status.result) ?? 'temperror'

const dkimVerdict = ({ status }: DKIMResult): DkimVerdict =>
  DKIM_VERDICTS.find((verdict) => verdict === status.result) ?? 'permerror'

const arcVerdict = (signatures: Signatures | null): 'none' | 'pass' | 'fail' => {
  const result = signatures?.arc?.status.result
  if (result === undefined || result === 'none') return 'none'
  return result === 'pass' ? 'pass' : 'fail'
}

const dmarcVerdict = (result: DMARCResult | null, author: Author): Authenticity['dmarc'] => {
  if (!result) return { result: 'none', policy: null, disposition: 'none', domain: author.domain }
  const verdict = DMARC_VERDICTS.find((known) => known === result.status.result) ?? 'none'
  const policy = POLICIES.find((known) => known === result.policy) ?? null
  return {
    result: verdict,
    policy,
    disposition: verdict === 'fail' ? (policy ?? 'none') : 'none',
    domain: result.policyDomain ?? author.domain,
  }
}
