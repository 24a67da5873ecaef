import type { Egress } from '../egress/egress.ts'
import { EgressRefused, type RefusalReason } from '../egress/errors.ts'

export type TargetRefusal = Exclude<RefusalReason, 'no_address'>

export type CheckedTarget = { url: string } | { refused: TargetRefusal; cause: unknown }

/**
 * The address as it will be called, if events may be sent there. A name is taken whatever it stands for: every attempt
 * checks whom it stands for then, and saving it reveals nothing about the names of the inner network.
 */
export const checkTarget = (egress: Egress, text: string): CheckedTarget => {
  try {
    return egress.checkForm(text)
  } catch (error) {
    if (error instanceof EgressRefused && error.reason !== 'no_address') return { refused: error.reason, cause: error }
    throw error
  }
}
