import type { Plan } from '@stoa/mail-model/plans.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { Check, Minus } from 'lucide-react'
import { comparePlans } from './limits.ts'

/** Every limit and feature in a table, one column for each plan. */
export const PlanComparison = ({ plans, currentId }: { plans: readonly Plan[]; currentId: string }) => (
  <Panel title="Compare plans" flush>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
    <section aria-label="Comparison of the plans" tabIndex={0} className="relative overflow-x-auto -outline-offset-2">
      <table className="w-full text-sm phone:text-xs">
        <thead>
          <tr className="border-line border-b">
            <td />
            {plans.map(({ id, name }) => (
              <th
                key={id}
                scope="col"
                className={cx('px-4 py-2.5 text-center font-medium phone:px-1', currentTone(id === currentId))}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {comparePlans(plans).map(({ label, cells }) => (
            <tr key={label}>
              <th scope="row" className="px-5 py-2 text-left font-normal text-muted phone:pr-1 phone:pl-4">
                {label}
              </th>
              {plans.map(({ id }, column) => (
                <td
                  key={id}
                  className={cx(
                    'whitespace-nowrap px-4 py-2 text-center tabular-nums phone:px-1',
                    currentTone(id === currentId),
                  )}
                >
                  <Cell value={cells[column] ?? false} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </Panel>
)

const currentTone = (isCurrent: boolean): string => (isCurrent ? 'bg-accent-soft text-ink' : 'text-ink')

const Cell = ({ value }: { value: string | boolean }) => {
  if (typeof value === 'string') return value
  return (
    <>
      {value ? (
        <Check aria-hidden className="inline size-4 text-live-mark" />
      ) : (
        <Minus aria-hidden className="inline size-4 text-faint" />
      )}
      <span className="sr-only">{value ? 'Included' : 'Not included'}</span>
    </>
  )
}
