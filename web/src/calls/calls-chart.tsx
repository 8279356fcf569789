import type { ReactElement } from "react";
import type { ApiCallSummary } from "../../../src/core/api-page.ts";
import { timeLabel } from "./time-label.ts";

const [WIDTH, HEIGHT, GAP] = [480, 72, 1.5];

/** Calls over time, failed ones at the bottom. */
export function CallsChart({ summary }: { readonly summary: ApiCallSummary }): ReactElement {
  const { since, until, total, failed, buckets } = summary;
  const top = Math.max(1, ...buckets.map((bucket) => bucket.ok + bucket.failed));
  const step = WIDTH / buckets.length;
  const span = until - since;
  const height = (count: number): number => (count === 0 ? 0 : Math.max(1.5, (count / top) * HEIGHT));
  const label = `${total} calls, ${failed} failed, from ${timeLabel(since, span)} to ${timeLabel(until, span)}; at most ${top} in one bar.`;
  return (
    <figure className="calls-chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {buckets.map((bucket, index) => {
          const bad = height(bucket.failed);
          const good = Math.min(height(bucket.ok), HEIGHT - bad);
          const place = { x: index * step, width: step - GAP };
          return (
            <g key={bucket.at}>
              <title>{`${timeLabel(bucket.at, span)}: ${bucket.ok + bucket.failed} calls, ${bucket.failed} failed`}</title>
              <rect className="chart-hover" {...place} y={0} height={HEIGHT} />
              {good > 0 && <rect className="chart-ok" {...place} y={HEIGHT - bad - good} height={good} />}
              {bad > 0 && <rect className="chart-bad" {...place} y={HEIGHT - bad} height={bad} />}
            </g>
          );
        })}
      </svg>
      <figcaption className="row small faint">
        <span className="grow">{timeLabel(since, span)}</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}
