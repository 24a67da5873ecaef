let lastAt = 0

/** Notes that the event stream has just reported a change. */
export const noteEvent = (): void => {
  lastAt = Date.now()
}

/** Whether it reported one since a moment: then nothing has to be fetched. */
export const hadEventSince = (moment: number): boolean => lastAt >= moment
