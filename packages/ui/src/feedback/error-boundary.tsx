import { RotateCw, TriangleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import { EmptyState } from './empty-state.tsx'

type ErrorBoundaryProps = {
  children: ReactNode
  /** The part of the screen that failed, if the boundary is around a part. */
  title?: string
  /** Reports the error; the page shows none of its words. */
  onError?: (error: unknown) => void
}

/** A screen that fell over says so and can be tried again; the rest of the app stays usable. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    this.props.onError?.(error)
  }

  override render() {
    if (!this.state.failed) return this.props.children
    const { title } = this.props
    return <Crash onRetry={() => this.setState({ failed: false })} {...(title === undefined ? {} : { title })} />
  }
}

type CrashProps = {
  onRetry: () => void
  title?: string
  /** When it is all there is on a screen, its title is the heading. */
  isScreen?: boolean
  children?: ReactNode
}

/** What a crashed screen shows, also for a router's own error slot. */
export const Crash = ({ onRetry, title = 'This screen stopped working', isScreen = false, children }: CrashProps) => (
  <div role="alert">
    <EmptyState
      icon={<TriangleAlert className="text-failed-mark" />}
      title={title}
      isScreen={isScreen}
      action={
        <Button icon={<RotateCw />} onClick={onRetry}>
          Retry
        </Button>
      }
    >
      {children ?? 'Your saved work is safe. If this happens again, reload the page.'}
    </EmptyState>
  </div>
)
