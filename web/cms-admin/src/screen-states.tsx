import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import type { ErrorComponentProps } from '@tanstack/react-router'

/** In the place of a screen that could not be drawn. */
export const ScreenError = ({ error, reset }: ErrorComponentProps) =>
  error instanceof ProblemError ? (
    <Crash title="Couldn't load this" onRetry={reset}>
      {messageOf(error)}
    </Crash>
  ) : (
    <Crash onRetry={reset} />
  )

/** In the place of a screen that is not there yet. */
export const Pending = () => (
  <div role="status" className="flex min-h-64 items-center justify-center text-faint">
    <Spinner className="size-5" />
    <span className="sr-only">Loading</span>
  </div>
)
