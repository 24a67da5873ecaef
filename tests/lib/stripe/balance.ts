import { change } from './events.ts'
import { invalid } from './fault.ts'
import type { BalanceTransaction, Customer } from './objects.ts'
import { add, base, type Store } from './store.ts'

type Movement = Pick<BalanceTransaction, 'amount' | 'type'> &
  Partial<Pick<BalanceTransaction, 'currency' | 'description' | 'invoice' | 'credit_note' | 'metadata'>>

/** Negative amounts are credit for the customer. */
export const moveBalance = (store: Store, customer: Customer, movement: Movement): BalanceTransaction => {
  const currency = movement.currency ?? customer.currency ?? 'eur'
  if (customer.currency !== null && customer.currency !== currency) {
    throw invalid(
      `You cannot combine currencies on a single customer. This customer has had a subscription, coupon, or invoice item with currency ${customer.currency}`,
      { param: 'currency' },
    )
  }
  const ending = customer.balance + movement.amount
  const transaction = add(store, {
    ...base(store, 'customer_balance_transaction', 'cbtxn', 24),
    amount: movement.amount,
    checkout_session: null,
    credit_note: movement.credit_note ?? null,
    currency,
    customer: customer.id,
    description: movement.description ?? null,
    ending_balance: ending,
    invoice: movement.invoice ?? null,
    metadata: movement.metadata ?? {},
    type: movement.type,
  })
  change(store, 'customer.updated', customer, { balance: ending, currency })
  return transaction
}
