import { build } from 'vite'

/** Builds the gallery into a folder, for the browser tests. */
export const buildGallery = async (outDir: string): Promise<void> => {
  await build({
    root: import.meta.dirname,
    configFile: `${import.meta.dirname}/vite.config.ts`,
    logLevel: 'warn',
    build: { outDir },
  })
}
