type Life = { notBefore: Date; notAfter: Date }

const lengthOf = ({ notBefore, notAfter }: Life): number => notAfter.getTime() - notBefore.getTime()

/** Certificates are renewed when a third of their life is left. */
export const renewalOf = (life: Life): Date => new Date(life.notAfter.getTime() - lengthOf(life) / 3)

/** Half of the time for its renewal is over: somebody should look why. */
export const isEnding = (life: Life, now: Date): boolean => now.getTime() > life.notAfter.getTime() - lengthOf(life) / 6
