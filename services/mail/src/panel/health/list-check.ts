import type { Finding } from '@stoa/kit/health/health.ts'
import type { DnsLookup } from '../../formats/authenticity/authenticity.ts'
import type { InstanceSettings } from '../../hosting/instance-settings/instance-settings.ts'
import { type ListState, testLists } from '../../receiving/reputation/reputation.ts'

const PROBLEMS: Readonly<Record<Exclude<ListState, 'ok'>, string>> = {
  away: "doesn't answer",
  refused: 'refuses to answer this resolver',
  lists_everything: 'lists everything',
  lists_nothing: "doesn't list its own test entry",
}

/** Whether the DNS lists that the owner chose work: each has one entry that must be there, and one that must not. */
export const checkDnsLists = async (lookup: DnsLookup, settings: InstanceSettings): Promise<Finding> => {
  const lists = await testLists(lookup, settings)
  if (lists.length === 0) return { status: 'ok', message: 'No DNS lists are used to judge mail.', value: 0 }
  const broken = lists.flatMap(({ zone, state }) => (state === 'ok' ? [] : [`${zone} ${PROBLEMS[state]}`]))
  if (broken.length > 0)
    return {
      status: 'warning',
      message: `DNS lists that don't work: ${broken.join(', ')}.`,
      action:
        'Check the spelling in Instance. Many lists refuse public resolvers: set DNS_RESOLVERS to a resolver of your own, or remove the list.',
      value: broken.length,
    }
  return {
    status: 'ok',
    message: `${lists.length === 1 ? '1 DNS list works' : `${lists.length} DNS lists work`}.`,
    value: 0,
  }
}
