export const HEALTH_PATH = '/health'
