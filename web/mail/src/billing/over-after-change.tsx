import type { Entitlement, Plan } from '@stoa/mail-model/plans.ts'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { overLimits } from './limits.ts'

/** Usage that exceeds a smaller plan. Renders nothing when everything fits. */
export const OverAfterChange = ({ plan, entitlement }: { plan: Plan; entitlement: Entitlement }) => {
  const over = overLimits({ limits: plan.limits, usage: entitlement.usage })
  if (over.length === 0) return null
  return (
    <Notice tone="warning" title={`You use more than ${plan.name} includes`}>
      <ul className="list-disc pl-4">
        {over.map(({ label, text }) => (
          <li key={label}>
            {label}: {text}
          </li>
        ))}
      </ul>
      <p className="pt-1">Nothing is deleted, but you can't add more of these.</p>
    </Notice>
  )
}
