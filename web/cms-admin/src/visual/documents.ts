import { ProblemError } from '@stoa/ui/request/problem.ts'
import { appBase } from '@stoa/ui/request/request.ts'

/**
 * Goes on in the other document. The page editor has a policy of its own and is therefore no screen of the admin; links
 * lead from one to the other all the same. It never resolves: the browser leaves.
 */
export const otherDocument = ({ location: { href } }: { location: { href: string } }): Promise<never> => {
  const address = new URL(`${appBase().replace(/\/$/, '')}${href}`, location.href).href
  // This document came for an address of the other: to ask for it again would never end
  if (performance.getEntriesByType('navigation').some(({ name }) => name === address))
    throw new ProblemError(
      "This part of the admin isn't installed. Restart the service with npm start, which builds the missing files.",
    )
  location.assign(address)
  return new Promise(() => undefined)
}
