#include "server/hub.h"

#include "io/json.h"
#include "server/frame.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace polhode::live {

namespace {

News::Text noticeText(const std::string& sentence) {
  JsonWriter json;
  json.beginObject().field("type", "notice").field("text", sentence).endObject();
  return std::make_shared<const std::string>(json.text());
}

/// Whether two frames tell people the same: all but their number in the sequence is equal, and how well the simulation keeps up
/// with the clock (frame.h, 12 to 15) differs by less than pages show.
bool looksTheSame(const std::string& a, const std::string& b) {
  constexpr std::size_t timing = 12, behind = 16;
  const auto at = [](const std::string& frame, std::size_t i) {
    double number;
    std::memcpy(&number, frame.data() + i * sizeof(double), sizeof(double));
    return number;
  };
  const auto equal = [&](std::size_t from, std::size_t to) {
    const std::size_t start = from * sizeof(double), length = (to - from) * sizeof(double);
    return a.compare(start, length, b, start, length) == 0;
  };
  if (a.size() != b.size() || !equal(1, timing) || !equal(behind, a.size() / sizeof(double))) return false;
  for (std::size_t i = timing; i < behind; ++i)
    if (std::abs(at(a, i) - at(b, i)) > 5e-3) return false;
  return true;
}

}  // namespace

std::shared_ptr<const KeptRecording> Hub::recording(std::size_t number) const {
  for (const auto& each : recordings_)
    if (each->number == number) return each;
  return nullptr;
}

Hub::Seat* Hub::find(const Page& page) {
  const auto found =
      std::find_if(seats_.begin(), seats_.end(), [&](const Seat& seat) { return seat.page.get() == &page; });
  return found == seats_.end() ? nullptr : &*found;
}

void Hub::enter(std::shared_ptr<Page> page) {
  seats_.push_back({++lastNumber_, page});
  if (seats_.size() == 1) steering_ = lastNumber_;
  if (scene_) page->sendText(scene_);
  if (status_) page->sendText(status_);
  tellSeats();
  if (frame_) page->sendFrame(sent_);
}

void Hub::leave(const Page& page) {
  const Seat* seat = find(page);
  if (!seat) return;
  const bool steered = seat->number == steering_;
  seats_.erase(seats_.begin() + (seat - seats_.data()));
  if (steered) {
    runner_.post(Release{});
    steering_ = seats_.empty() ? 0 : seats_.front().number;
  }
  tellSeats();
}

void Hub::receive(const Page& page, std::string_view message) {
  Seat* seat = find(page);
  if (!seat) return;
  const std::optional<Command> command = parseCommand(message);
  if (!command) return seat->page->sendText(noticeText("the server did not understand what the page sent"));
  if (std::holds_alternative<Steer>(*command)) {
    if (seat->number == steering_) return;
    runner_.post(Release{});
    steering_ = seat->number;
    return tellSeats();
  }
  if (seat->number != steering_)
    return seat->page->sendText(noticeText("another page steers; take over to change something"));
  runner_.post(*command);
}

void Hub::spread() {
  News news = runner_.takeNews();
  run_ = std::move(news.run);
  recordings_ = std::move(news.recordings);
  if (news.scene) scene_ = news.scene;
  if (news.status) status_ = news.status;
  if (news.frame && frame_ && looksTheSame(*news.frame, *frame_)) news.frame = nullptr;
  frame_ = run_ ? nullptr : news.frame ? news.frame : frame_;
  if (news.frame) sent_ = std::make_shared<const std::string>(onTheWire(*news.frame));

  std::vector<News::Text> texts;
  if (news.scene) texts.push_back(news.scene);
  if (news.status) texts.push_back(news.status);
  for (const std::string& sentence : news.notices) texts.push_back(noticeText(sentence));
  const std::vector<Seat> seats = seats_;  // a page may leave while it is sent to
  for (const Seat& seat : seats) {
    for (const News::Text& text : texts) seat.page->sendText(text);
    if (news.frame) seat.page->sendFrame(sent_);
  }
}

/// Each page its number, whether it steers and how many there are.
void Hub::tellSeats() {
  const std::vector<Seat> seats = seats_;
  for (const Seat& seat : seats) {
    JsonWriter json;
    json.beginObject().field("type", "seat").field("page", static_cast<std::int64_t>(seat.number));
    json.field("steering", seat.number == steering_).field("pages", static_cast<std::uint64_t>(seats.size()));
    json.endObject();
    seat.page->sendText(std::make_shared<const std::string>(json.text()));
  }
}

void Hub::closeAll() {
  const std::vector<Seat> seats = seats_;
  for (const Seat& seat : seats) seat.page->close();
}

}  // namespace polhode::live
