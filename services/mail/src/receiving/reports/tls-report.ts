import { z } from 'zod'
import { asCount, asMoment, asText, type Report } from './report.ts'

const MAX_POLICIES = 100
const MAX_FAILURES = 200
/** One policy or a few for each domain: what is longer is no report. */
const MAX_LENGTH = 2_097_152

/** A TLS report (RFC 8460 §4), one for each domain that it is about; none when it is no such report. */
export const parseTlsReports = (json: string): Report[] => {
  if (json.length > MAX_LENGTH) return []
  const parsed = REPORT.safeParse(parseJson(json))
  if (!parsed.success) return []
  const { data } = parsed
  const begin = asMoment(Date.parse(data['date-range']['start-datetime']))
  const end = asMoment(Date.parse(data['date-range']['end-datetime']))
  const reportId = asText(data['report-id'])
  if (!begin || !end || reportId === '') return []
  const byDomain = new Map<string, z.infer<typeof POLICY>[]>()
  for (const given of data.policies.slice(0, MAX_POLICIES)) {
    const policy = POLICY.safeParse(given).data
    if (!policy) continue
    const domain = asText(policy.policy['policy-domain']).toLowerCase().replace(/\.$/, '')
    if (domain !== '') byDomain.set(domain, [...(byDomain.get(domain) ?? []), policy])
  }
  const org = asText(data['organization-name']) || 'unknown'
  return [...byDomain].map(([domain, policies]) => ({
    type: 'tls',
    org,
    reportId,
    domain,
    begin,
    end,
    pass: asCount(policies.reduce((sum, { summary }) => sum + asCount(summary['total-successful-session-count']), 0)),
    fail: asCount(policies.reduce((sum, { summary }) => sum + asCount(summary['total-failure-session-count']), 0)),
    rows: policies.map(readPolicy),
  }))
}

const count = z.number().catch(0)
const text = z.string().catch('')

const FAILURE = z.object({
  'result-type': text,
  'sending-mta-ip': text,
  'receiving-mx-hostname': text,
  'failed-session-count': count,
})

const POLICY = z.object({
  policy: z.object({ 'policy-type': text, 'policy-domain': z.string() }),
  summary: z
    .object({ 'total-successful-session-count': count, 'total-failure-session-count': count })
    .catch({ 'total-successful-session-count': 0, 'total-failure-session-count': 0 }),
  'failure-details': z
    .array(z.unknown())
    .transform((failures) =>
      failures.slice(0, MAX_FAILURES).flatMap((failure) => FAILURE.safeParse(failure).data ?? []),
    )
    .catch([]),
})

const REPORT = z.object({
  'organization-name': text,
  'date-range': z.object({ 'start-datetime': z.string(), 'end-datetime': z.string() }),
  'report-id': z.string(),
  policies: z.array(z.unknown()),
})

const readPolicy = ({ policy, summary, 'failure-details': failures }: z.infer<typeof POLICY>) => ({
  policy_type: asText(policy['policy-type']),
  successful: asCount(summary['total-successful-session-count']),
  failed: asCount(summary['total-failure-session-count']),
  failures: failures.map((failure) => ({
    result_type: asText(failure['result-type']),
    sending_ip: asText(failure['sending-mta-ip']),
    receiving_host: asText(failure['receiving-mx-hostname']),
    count: asCount(failure['failed-session-count']),
  })),
})

const parseJson = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
