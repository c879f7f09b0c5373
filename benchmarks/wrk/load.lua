-- One request after the other, as the environment says. In BENCH_BODY, @c stands for one of BENCH_CONVERSATIONS, taken
-- in turn, and @n for a number that no other request has.
local method = os.getenv("BENCH_METHOD")
local path = os.getenv("BENCH_PATH")
local body = os.getenv("BENCH_BODY")
local heads, tails, run = {}, {}, ""
local count = 0

wrk.headers["Authorization"] = "Bearer " .. os.getenv("BENCH_KEY")
wrk.headers["Content-Type"] = "application/json"

function init()
  run = tostring(os.time()) .. "-"
  for id in string.gmatch(os.getenv("BENCH_CONVERSATIONS") or "", "%x+") do
    local head, tail = string.match((string.gsub(body, "@c", id)), "^(.*)@n(.*)$")
    heads[#heads + 1] = head
    tails[#tails + 1] = tail
  end
end

function request()
  count = count + 1
  if #heads == 0 then
    return wrk.format(method, path, nil, body)
  end
  local which = count % #heads + 1
  return wrk.format(method, path, nil, heads[which] .. run .. count .. tails[which])
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format("BENCH %d %d %.3f %.3f %.3f %d %d\n", summary.requests, summary.duration,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000,
    e.status, e.connect + e.read + e.write + e.timeout))
end
