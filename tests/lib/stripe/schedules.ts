import { z } from 'zod'
import { change, emit } from './events.ts'
import { invalid } from './fault.ts'
import { flag, integer, listParams, mergeMetadata, metadata, oneOf, params, text } from './form.ts'
import { endSubscription } from './lifecycle.ts'
import type { Schedule, SchedulePhase, Subscription } from './objects.ts'
import { addIntervals } from './periods.ts'
import { route } from './route.ts'
import { itemOf, pricedBy } from './start.ts'
import { add, allOf, base, find, get, nowOf, pageOf, type Store } from './store.ts'

const prorations = oneOf('create_prorations', 'always_invoice', 'none')
const moment = z.union([z.literal('now'), integer])
const phaseShape = z.strictObject({
  items: z
    .array(z.strictObject({ price: text, quantity: integer.optional(), metadata: metadata.optional() }))
    .length(1),
  start_date: moment.optional(),
  end_date: moment.optional(),
  duration: z
    .strictObject({ interval: oneOf('day', 'week', 'month', 'year'), interval_count: integer.optional() })
    .optional(),
  metadata: metadata.optional(),
  proration_behavior: prorations.optional(),
  trial_end: moment.optional(),
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
})
const createShape = params({
  from_subscription: text,
  metadata: metadata.optional(),
  end_behavior: oneOf('release', 'cancel').optional(),
  phases: z.array(phaseShape).optional(),
})

const create = (store: Store, given: z.output<typeof createShape>): Schedule => {
  for (const param of ['end_behavior', 'phases'] as const) {
    if (given[param]) throw invalid(`You cannot set \`${param}\` if \`from_subscription\` is set.`, { param })
  }
  const subscription = get(store, 'subscription', given.from_subscription, 'from_subscription')
  if (subscription.schedule) {
    throw invalid(
      `You cannot migrate a subscription that is already attached to a schedule: ${subscription.schedule}.`,
      {
        param: 'from_subscription',
      },
    )
  }
  if (!['active', 'trialing', 'past_due'].includes(subscription.status)) {
    throw invalid(`You cannot migrate a subscription in the \`${subscription.status}\` status.`, {
      param: 'from_subscription',
    })
  }
  const item = itemOf(subscription)
  const phase: SchedulePhase = {
    start_date: item.current_period_start,
    end_date: item.current_period_end,
    items: [{ price: item.price.id, quantity: item.quantity, metadata: {} }],
    currency: subscription.currency,
    metadata: {},
    proration_behavior: 'create_prorations',
    trial_end: subscription.trial_end,
    automatic_tax: { enabled: subscription.automatic_tax.enabled },
  }
  const schedule = add(store, {
    ...base(store, 'subscription_schedule', 'sub_sched', 24),
    canceled_at: null,
    completed_at: null,
    current_phase: { start_date: phase.start_date, end_date: phase.end_date },
    customer: subscription.customer,
    default_settings: { default_payment_method: subscription.default_payment_method },
    end_behavior: subscription.cancel_at_period_end ? ('cancel' as const) : ('release' as const),
    metadata: mergeMetadata({}, given.metadata),
    phases: [phase],
    released_at: null,
    released_subscription: null,
    status: 'active' as const,
    subscription: subscription.id,
  })
  emit(store, 'subscription_schedule.created', schedule)
  change(store, 'customer.subscription.updated', subscription, { schedule: schedule.id })
  return schedule
}

const updateShape = params({
  default_settings: z.strictObject({ default_payment_method: text }).optional(),
  end_behavior: oneOf('release', 'cancel').optional(),
  metadata: metadata.optional(),
  phases: z.array(phaseShape).min(1).optional(),
  proration_behavior: prorations.optional(),
})
type Update = z.output<typeof updateShape>

const update = (store: Store, given: Update, id: string): Schedule => {
  const schedule = get(store, 'subscription_schedule', id)
  if (schedule.status !== 'active') {
    throw invalid(`You cannot update a subscription schedule that is in the \`${schedule.status}\` status.`)
  }
  return change(store, 'subscription_schedule.updated', schedule, {
    ...(given.phases && { phases: phasesOf(store, schedule, given.phases) }),
    ...(given.end_behavior && { end_behavior: given.end_behavior }),
    ...(given.default_settings && { default_settings: given.default_settings }),
    metadata: mergeMetadata(schedule.metadata, given.metadata),
  })
}

const phasesOf = (store: Store, schedule: Schedule, wished: NonNullable<Update['phases']>): SchedulePhase[] => {
  const now = nowOf(store)
  const subscription = get(store, 'subscription', schedule.subscription ?? '')
  let at: number | undefined
  const phases = wished.map((phase, index): SchedulePhase => {
    const price = pricedBy(store, phase.items[0]?.price, `phases[${index}][items][0][price]`)
    const start = phase.start_date === 'now' ? now : (phase.start_date ?? at)
    if (start === undefined) {
      throw invalid(
        'The subscription schedule update is missing at least one phase with a `start_date` to anchor end dates to.',
        {
          param: 'phases[0][start_date]',
        },
      )
    }
    if (at !== undefined && start !== at) {
      throw invalid('Phases must follow each other without a gap.', { param: `phases[${index}][start_date]` })
    }
    const rhythm = { interval: 'month' as const, interval_count: 1, ...price.recurring, ...phase.duration }
    const end =
      phase.end_date === 'now'
        ? now
        : (phase.end_date ??
          addIntervals(
            start,
            {
              ...rhythm,
              interval_count: rhythm.interval_count ?? 1,
              meter: null,
              trial_period_days: null,
              usage_type: 'licensed',
            },
            1,
          ))
    if (end <= start) throw invalid('The phase must end after it starts.', { param: `phases[${index}][end_date]` })
    if (typeof phase.trial_end === 'number' && (phase.trial_end <= start || phase.trial_end > end)) {
      throw invalid('The trial of a phase must end within it.', { param: `phases[${index}][trial_end]` })
    }
    at = end
    return {
      start_date: start,
      end_date: end,
      items: [{ price: price.id, quantity: phase.items[0]?.quantity ?? 1, metadata: {} }],
      currency: price.currency,
      metadata: mergeMetadata({}, phase.metadata),
      proration_behavior: phase.proration_behavior ?? 'create_prorations',
      trial_end: typeof phase.trial_end === 'number' ? phase.trial_end : null,
      automatic_tax: { enabled: phase.automatic_tax?.enabled ?? false },
    }
  })
  const current = phases.find((phase) => phase.start_date <= now && now < phase.end_date)
  if (!current || current.start_date !== schedule.current_phase?.start_date) {
    throw invalid('You can not modify the start date of the current phase.', { param: 'phases[0][start_date]' })
  }
  if (current.end_date !== itemOf(subscription).current_period_end) {
    throw invalid('The fake changes phases at the end of a period only.', { param: 'phases[0][end_date]' })
  }
  if (current.items[0]?.price !== itemOf(subscription).price.id) {
    throw invalid('The fake does not change the price within the current phase of a schedule.', {
      param: 'phases[0][items]',
    })
  }
  return phases
}

export const releaseSchedule = (store: Store, schedule: Schedule): Schedule => {
  if (schedule.status !== 'active') {
    throw invalid(
      `You cannot release a subscription schedule that is currently in the \`${schedule.status}\` status. Status must be one of \`not_started\`, \`active\`.`,
    )
  }
  const subscription = get(store, 'subscription', schedule.subscription ?? '')
  change(store, 'subscription_schedule.released', schedule, {
    status: 'released',
    released_at: nowOf(store),
    released_subscription: subscription.id,
    subscription: null,
    current_phase: null,
  })
  change(store, 'customer.subscription.updated', subscription, { schedule: null })
  return schedule
}

/** The phase that begins when the period of the subscription ends. */
export const nextPhase = (store: Store, subscription: Subscription): SchedulePhase | undefined => {
  const schedule = find(store, 'subscription_schedule', subscription.schedule ?? '')
  return schedule?.phases.find(({ start_date }) => start_date === schedule.current_phase?.end_date)
}

/** At the end of a phase: the next one, or what the schedule does at its end. True when the subscription ended. */
export const passPhase = (store: Store, subscription: Subscription): boolean => {
  const schedule = find(store, 'subscription_schedule', subscription.schedule ?? '')
  if (!schedule?.current_phase || schedule.current_phase.end_date > nowOf(store)) return false
  const next = nextPhase(store, subscription)
  if (next) {
    const item = itemOf(subscription)
    item.price = get(store, 'price', next.items[0]?.price ?? '')
    item.quantity = next.items[0]?.quantity ?? 1
    const { default_payment_method } = schedule.default_settings
    if (default_payment_method !== null) subscription.default_payment_method = default_payment_method
    subscription.automatic_tax = { ...subscription.automatic_tax, ...next.automatic_tax }
    change(store, 'subscription_schedule.updated', schedule, {
      current_phase: { start_date: next.start_date, end_date: next.end_date },
    })
    return false
  }
  if (schedule.end_behavior === 'release') {
    releaseSchedule(store, schedule)
    return false
  }
  subscription.schedule = null
  change(store, 'subscription_schedule.completed', schedule, {
    status: 'completed',
    completed_at: nowOf(store),
    current_phase: null,
  })
  endSubscription(store, subscription, 'cancellation_requested')
  return true
}

export const scheduleRoutes = [
  route('POST', '/v1/subscription_schedules', createShape, create),
  route('GET', '/v1/subscription_schedules', listParams({ customer: text.optional() }), (store, page) =>
    pageOf(allOf(store, 'subscription_schedule', page.customer), page, '/v1/subscription_schedules'),
  ),
  route('GET', '/v1/subscription_schedules/:', params({}), (store, _, id) => get(store, 'subscription_schedule', id)),
  route('POST', '/v1/subscription_schedules/:', updateShape, update),
  route(
    'POST',
    '/v1/subscription_schedules/:/release',
    params({ preserve_cancel_date: flag.optional() }),
    (store, _, id) => releaseSchedule(store, get(store, 'subscription_schedule', id)),
  ),
  route(
    'POST',
    '/v1/subscription_schedules/:/cancel',
    params({ invoice_now: flag.optional(), prorate: flag.optional() }),
    (store, _, id) => {
      const schedule = get(store, 'subscription_schedule', id)
      const subscription = get(store, 'subscription', schedule.subscription ?? '')
      endSubscription(store, subscription, 'cancellation_requested')
      return schedule
    },
  ),
]
