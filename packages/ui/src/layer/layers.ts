import { createContext, use, useEffect, useState } from 'react'

// The page itself
const PAGE = 0

/** The layer that a component lives in: the page, or the dialog around it. */
export const Layer = createContext(PAGE)

export const useCurrentLayer = (): number => use(Layer)

let stack: readonly number[] = []
let lastId = PAGE

/** The layer that handles keyboard shortcuts now. */
export const topLayer = (): number => stack.at(-1) ?? PAGE

/** Puts a new layer on top while the component is mounted; its children get the id through `Layer`. */
export const useLayer = (): number => {
  const [id] = useState(() => {
    lastId += 1
    return lastId
  })
  useEffect(() => {
    stack = [...stack, id]
    return () => {
      stack = stack.filter((other) => other !== id)
    }
  }, [id])
  return id
}
