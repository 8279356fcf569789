export * as calc from "./lib/math"
export * from "./lib/stats"
