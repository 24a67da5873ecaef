let lastAt = 0

/** Notes that the service told of changes just now. */
export const noteTold = (): void => {
  lastAt = Date.now()
}

/** Whether it did since a moment: then nobody has to ask. */
export const wasToldSince = (moment: number): boolean => lastAt >= moment
