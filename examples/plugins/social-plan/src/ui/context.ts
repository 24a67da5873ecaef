import type { Bridge } from '@stoa/cms-plugin'
import type { ShownClient } from '../client.ts'
import type { Stage } from '../plan.ts'
import { messageOf } from './dom.ts'

export type Account = { id: string; name: string; network: string; label: string; isReady: boolean }

/** What all screens need to know: who there is to plan for, with and on. */
export type PlanContext = {
  clients: ShownClient[]
  people: { id: string; name: string }[]
  accounts: Account[]
  firstStage: Stage
}

export const loadContext = (stoa: Bridge): Promise<PlanContext> => stoa.request('GET', '/context')

export const accountChoices = ({ accounts }: PlanContext) =>
  accounts.map(({ id, name, label, isReady }) => ({
    value: id,
    label: `${name} (${label})${isReady ? '' : ', needs attention'}`,
  }))

/** Does something for a person: says what went wrong, and gives whether it went well. */
export const attempt = async (stoa: Bridge, action: () => Promise<unknown>, done?: string): Promise<boolean> => {
  try {
    await action()
    if (done) await stoa.toast(done, 'success')
    return true
  } catch (error) {
    await stoa.toast(messageOf(error), 'error')
    return false
  }
}
