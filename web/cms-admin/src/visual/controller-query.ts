import { ProblemError } from '@stoa/ui/request/problem.ts'
import { appBase } from '@stoa/ui/request/request.ts'
import { queryOptions } from '@tanstack/react-query'

/** The script of the canvas, as it was built with this document, and the hash by which policies allow it. */
export const controllerQuery = queryOptions({
  queryKey: ['canvas-controller'],
  queryFn: async ({ signal }) => {
    const response = await fetch(`${appBase().replace(/\/$/, '')}/canvas-controller.js`, { signal })
    const hash = document.querySelector('meta[name="canvas-controller"]')?.getAttribute('content') ?? ''
    if (!response.ok || hash === '')
      throw new ProblemError(
        "The editor isn't fully installed. Restart the service with npm start, which builds the missing files.",
      )
    return { code: await response.text(), hash }
  },
  staleTime: Number.POSITIVE_INFINITY,
})
