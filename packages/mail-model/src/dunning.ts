const DAY_MS = 86_400_000

/** Counted from the day on which the first unpaid invoice was due. */
export const SENDING_STOPS_DAYS = 14
export const LIMITS_LOWERED_DAYS = 44

export type Dunning = {
  stage: 'grace' | 'sending_stopped' | 'limits_lowered'
  sendingStopsAt: Date
  limitsLoweredAt: Date
}

/** How far an unpaid invoice has come: receiving never stops, sending does, then the limits of the free plan hold. */
export const dunningAt = (pastDueAt: Date, now: Date): Dunning => {
  const sendingStopsAt = new Date(pastDueAt.getTime() + SENDING_STOPS_DAYS * DAY_MS)
  const limitsLoweredAt = new Date(pastDueAt.getTime() + LIMITS_LOWERED_DAYS * DAY_MS)
  const stage = now >= limitsLoweredAt ? 'limits_lowered' : now >= sendingStopsAt ? 'sending_stopped' : 'grace'
  return { stage, sendingStopsAt, limitsLoweredAt }
}
