import type { Dunning } from '@stoa/mail-model/dunning.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { buttonClass } from '@stoa/ui/button/button-class.ts'
import { Notice, type NoticeTone } from '@stoa/ui/feedback/notice.tsx'
import { formatDate } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { formatAmount } from './money.ts'
import { entitlementQuery, openInvoiceQuery } from './queries.ts'
import { dunningOf } from './standing.ts'
import { useAddMethod } from './use-add-method.ts'

/** While something is unpaid the answer of the provider is waited for. */
const LOOK_MS = 30_000

/** On top of every screen while an invoice is unpaid: what stops when, and how to pay. */
export const BillingBanner = () => {
  const { data } = useQuery({
    ...entitlementQuery,
    refetchInterval: ({ state }) => (state.data?.subscription?.past_due_at ? LOOK_MS : false),
  })
  const dunning = data ? dunningOf(data, new Date()) : null
  if (!dunning) return null
  const { tone, title, text } = wordsFor(dunning)
  return (
    <Notice tone={tone} title={title} className="mb-5">
      <p>{text}</p>
      <PayActions />
    </Notice>
  )
}

type Words = { tone: NoticeTone; title: string; text: string }

const wordsFor = ({ stage, sendingStopsAt, limitsLoweredAt }: Dunning): Words => {
  const [stop, lowered] = [sendingStopsAt, limitsLoweredAt].map((at) => formatDate(at, new Date()))
  if (stage === 'grace')
    return {
      tone: 'warning',
      title: 'Your last payment failed',
      text: `Everything still works. Pay by ${stop}, or sending stops. New mail keeps arriving in any case.`,
    }
  if (stage === 'sending_stopped')
    return {
      tone: 'danger',
      title: 'Sending has stopped because an invoice is unpaid',
      text: `New mail keeps arriving and nothing is deleted. Pay to send again. On ${lowered} the limits of the free plan start.`,
    }
  return {
    tone: 'danger',
    title: 'Your account has the limits of the free plan because an invoice is unpaid',
    text: "New mail keeps arriving and nothing is deleted, but you can't send or add anything over the limits. Pay to get your plan back.",
  }
}

/** The invoice's own page takes any card; a new default card is tried with the next attempt. */
const PayActions = () => {
  const { data: invoice } = useQuery(openInvoiceQuery)
  const add = useAddMethod()
  return (
    <div className="flex flex-wrap gap-2 pt-2 pb-0.5">
      {invoice?.invoice_url ? (
        <a href={invoice.invoice_url} target="_blank" rel="noreferrer" className={buttonClass('primary', 'sm')}>
          Pay {formatAmount(invoice.amount_cents, invoice.currency)} now
          <ExternalLink aria-label="Opens in a new tab" />
        </a>
      ) : null}
      <Button size="sm" loading={add.isPending} onClick={() => add.mutate()}>
        Use another card
      </Button>
    </div>
  )
}
